/* Downloads by way of page-locked memory. */
#ifndef MGPU_FASTPATH_DOWNLOAD_H
#define MGPU_FASTPATH_DOWNLOAD_H

#include <stdint.h>

/* Returns the function that makes a staged copy: a driver.Blocking whose first argument
 * is the address of the struct staged. */
uintptr_t download_function(void);

#endif
