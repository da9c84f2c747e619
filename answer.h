/* Calls that C answers by itself. */
#ifndef MGPU_ANSWER_H
#define MGPU_ANSWER_H

#include <stdbool.h>
#include <stdint.h>

/* Starts (enabled) or stops answering, for all threads. */
void answer_enable(bool enabled);

/* Forgets all answers: a module is about to leave the driver. */
void answer_forget(void);

/* The current epoch. Read it before asking Go for a function. */
uint64_t answer_epoch(void);

/* The function that the module's kernel of that name was resolved to on this
 * thread, 0 if Go has to be asked. */
uintptr_t answer_function(uintptr_t module, const char *name);

/* Notes what Go answered, for a thread whose epoch was epoch when it asked. */
void answer_note(uint64_t epoch, uintptr_t module, const char *name,
                 uintptr_t function);

/* The module that the thread kept loaded for the image, now the program's again;
 * 0 if Go has to be asked. */
uintptr_t answer_load(uintptr_t image, uint64_t generation);

/* Notes a module that Go gave and that lasts: mgpu.Runtime.ModuleLoadLasting. */
void answer_loaded(uintptr_t image, uint64_t generation, uintptr_t module);

/* Keeps the module loaded for the thread; false if Go has to unload it. */
bool answer_unload(uintptr_t module);

/* A module whose reference has to be given back to Go before it is asked about
 * another one; 0: none. */
uintptr_t answer_surplus(void);

#endif
