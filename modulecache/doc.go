// Package modulecache loads each code object once per device and resolves each kernel name once per module, however
// often a program asks for them.
//
// The identity of a module is its content: a 64-bit hash finds a candidate, and every load compares all bytes. An
// address is only a shortcut to a candidate, since JIT compilers reuse addresses for other code, and a program can make
// its constants writable and change them.
//
// Modules are loaded from the cache's own copy of the image. The copy lies outside the Go heap, is read-only, ends with
// a zero byte and stays in place until the driver has unloaded the module.
//
// A module without references stays loaded. When such modules exceed Config.Modules, or their images Config.Bytes, the
// least recently used is unloaded first. Content that must not be shared (Config.Unshareable) is loaded and unloaded
// each time, from one copy.
//
// A module that the program has unloaded through the driver's own library is loaded again at the next load of its
// content. The cache looks for such a module (lost) in two cases: when the driver returns its handle for another load,
// and when a load finds that the program already holds references. Only in the second case can a reference be to a
// module that is gone, and the driver is asked.
//
// If a module's functions are needed on another device than its own, the module is loaded there too, from the copy,
// until its last reference is dropped (Cache.On).
//
// Terms: a content is an image on a device. A loaded is one module handle that the driver returned for a content; there
// is one at a time unless sharing is refused. A site is an address at which a content was seen.
//
// Concurrency: all functions may be called from any number of threads. Hits take no lock except locks of the driver or
// the kernel. One mutex, Cache.mu, guards the index by content. It is never held across a driver call or while program
// memory is read. One thread makes the first load of a content, and other threads that load the content meanwhile wait
// for it. A lost module is loaded again under content.again. internal/locks has the order of the locks.
package modulecache
