/* Modules and functions that a thread has loaded and looked up before. */
#ifndef MGPU_FASTPATH_LOOKUP_H
#define MGPU_FASTPATH_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct loaded_image;

/* Turns look-ups without Go on or off, for all threads. */
void lookup_enable(bool enabled);

/* Makes all cached functions invalid, before the driver unloads a module. */
void lookup_forget(void);

/* Forgets the functions that the calling thread has looked up, when its device changes. */
void lookup_forget_thread(void);

/* Returns a number that changes with lookup_forget; 0 if look-ups are off. */
uint64_t lookup_epoch(void);

/* Returns the module's function with that name, 0 if Go has to be asked. */
uintptr_t lookup_function(uintptr_t module, const char *name);

/* Caches a function that Go resolved. epoch is lookup_epoch() read before asking Go; the
 * entry is invalid once any module has been unloaded since. */
void lookup_store_function(uint64_t epoch, uintptr_t module, const char *name,
                           uintptr_t function);

/* Returns the module that the thread keeps loaded for the image at an address, and gives its
 * reference back to the program; 0 if Go has to load it. holds reports whether the memory at
 * an address has the n bytes of a copy. */
uintptr_t lookup_module(uintptr_t address, int32_t opt,
                        bool (*holds)(uintptr_t address, uintptr_t copy,
                                      size_t n));

/* Returns the number of lost modules so far: see lookup_lose_module. */
uint64_t lookup_losses(void);

/* Notes the program's reference to a module that Go loaded from the image at an address.
 * losses is lookup_losses() read before asking Go. If another note had to be dropped whose
 * reference belonged to the thread, returns that note's module, and the caller has Go unload
 * it; otherwise 0. */
uintptr_t lookup_store_module(uint64_t losses, uintptr_t address, int32_t opt,
                              struct loaded_image image, uintptr_t module);

/* Keeps a reference that the program drops, for the thread that noted it. Returns false if
 * Go has to unload the module, after lookup_release_module. */
bool lookup_keep_module(uintptr_t module);

/* Drops one reference to the module that any thread keeps; the caller has Go unload it.
 * Returns false if no thread keeps one. */
bool lookup_release_module(uintptr_t module);

/* Drops all notes of a module that the driver has unloaded. Returns whether a thread may be
 * comparing memory with its image at this moment. */
bool lookup_lose_module(uintptr_t module);

#endif
