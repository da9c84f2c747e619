/* Copies by way of page-locked memory. */
#ifndef MGPU_FASTPATH_DOWNLOAD_H
#define MGPU_FASTPATH_DOWNLOAD_H

#include <stdint.h>

/* The address of the function that makes the copy of a struct staged: a
 * driver.Blocking whose first argument is the address of that. */
uintptr_t download_function(void);

#endif
