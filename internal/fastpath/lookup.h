/* Calls that C lookups by itself. */
#ifndef MGPU_FASTPATH_LOOKUP_H
#define MGPU_FASTPATH_LOOKUP_H

#include <stdbool.h>
#include <stdint.h>

/* Starts (enabled) or stops answering, for all threads. */
void lookup_enable(bool enabled);

/* Forgets all lookups: a module is about to leave the driver. */
void lookup_forget(void);

/* The current epoch. Read it before asking Go for a function. */
uint64_t lookup_epoch(void);

/* The function that the module's kernel of that name was resolved to on this
 * thread, 0 if Go has to be asked. */
uintptr_t lookup_function(uintptr_t module, const char *name);

/* Notes what Go answered, for a thread whose epoch was epoch when it asked. */
void lookup_note(uint64_t epoch, uintptr_t module, const char *name,
                 uintptr_t function);

/* The module that the thread kept loaded for the image, now the program's again;
 * 0 if Go has to be asked. */
uintptr_t lookup_load(uintptr_t image, uint64_t generation, int32_t opt);

/* Notes a module that Go gave and that lasts: mgpu.Runtime.ModuleLoadLasting. The
 * thread's surplus has been asked for before. */
void lookup_loaded(uintptr_t image, uint64_t generation, int32_t opt,
                   uintptr_t module);

/* Takes a reference that the program holds, and keeps it for the thread that
 * noted it; false if Go has to unload the module, once lookup_surplus_of has
 * found nothing more. */
bool lookup_unload(uintptr_t module);

/* Drops the thread's note. The module in it if that was only kept: its reference
 * has to be given back to Go; otherwise 0. */
uintptr_t lookup_surplus(void);

/* Drops a note of any thread that keeps the module, whose reference has to be
 * given back to Go; false: there is none. */
bool lookup_surplus_of(uintptr_t module);

#endif
