/* What a program must not do. */
#ifndef FAKEHIP_VIOLATION_H
#define FAKEHIP_VIOLATION_H

#include <stdbool.h>
#include <stdint.h>

enum violation {
  violation_argument,
  violation_device, /* of another device than the call asks for */
  violation_fork,
  violation_handle, /* that never was, is of another kind, or was destroyed */
  violation_image,  /* changed while its module was loaded */
  violation_leak,
  violation_memory, /* bytes that are not in live memory */
  violation_order, /* memory used while work that was submitted earlier still uses it */
  violation_kinds
};

/* Tells of one, unless its kind is ignored: a line on stderr. */
void violation(enum violation kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether a kind is looked for. */
bool violation_wanted(enum violation kind);

/* How many there were of all kinds. */
uint64_t violation_count(void);

/* Reads from the environment what is ignored. */
void violation_configure(void);

#endif
