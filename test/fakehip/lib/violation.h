/* Mistakes of programs. */
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

/* Prints a violation to stderr, unless its kind is ignored. */
void violation(enum violation kind, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports whether violations of a kind are looked for. */
bool violation_wanted(enum violation kind);

/* Returns the number of violations of all kinds. */
uint64_t violation_count(void);

/* Reads the ignored kinds from the environment. */
void violation_configure(void);

#endif
