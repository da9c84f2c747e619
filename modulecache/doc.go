// Package modulecache loads a code object once for all that load it in turn, and resolves each kernel name once per
// module, however often a program asks for them.
//
// The identity of a module is its content: a 64-bit hash finds a candidate, and every load compares all bytes. An
// address is only a shortcut to a candidate, since JIT compilers reuse addresses for other code, and a program can make
// its constants writable and change them.
//
// Modules are loaded from the cache's own copy of the image. The copy lies outside the Go heap, begins at a page, is
// followed by a zero byte and stays in place until the driver has unloaded the module. Copies of 64 KiB and more are
// read-only mappings; smaller ones share mappings (chunks).
//
// A module has one holder at a time: a load takes a module without a holder, or loads one more. So each load that the
// program holds is a module of the driver's own, as without the cache.
//
// A module without references stays loaded. When such modules exceed Config.Modules, or their images Config.Bytes, the
// least recently used is unloaded first. Content that must not be shared (Config.Traits) is loaded and unloaded
// each time, from one copy.
//
// A module that the program has unloaded through the driver's own library is not given out again. The cache finds such
// a module (lost) when the driver returns its handle for another load. It asks the driver when a load finds that the
// program holds all modules of the content, and when the program gives a module back for the first time.
//
// If a module's functions are needed on another device than its own, the module is loaded there too, from the copy,
// until its last reference is dropped (Cache.On).
//
// Terms: a content is an image on a device. A loaded is one module handle that the driver returned for a content. A site
// is an address at which a content was seen.
//
// Concurrency: all functions may be called from any number of threads. Hits take no lock except locks of the driver or
// the kernel. One mutex, Cache.mu, guards the index by content. It is never held across a driver call or while program
// memory is read. One thread makes the first load of a content, and other threads that load the content meanwhile wait
// for it. internal/locks has the order of the locks.
package modulecache
