// Package modulecache loads each code object once per device and resolves each
// kernel name once per module, however often a program asks.
//
// A module's identity is its content: a 64-bit hash finds a candidate, and the
// bytes decide, at every load. An address is only ever a shortcut to a candidate:
// JIT compilers put other code where old code was, and a program can make its
// constants writable.
//
// Modules are loaded from the cache's own copy of the image, which lies outside
// the Go heap, is read-only, ends with a zero byte and stays where it is until
// the driver has unloaded the module.
//
// A module with no references stays loaded until those that nobody references
// exceed Config.Modules, or their images Config.Bytes; then the least recently used goes first.
// Content that must not be shared (Config.Unshareable) is loaded and unloaded
// each time, from one copy.
//
// A module that the program has unloaded by the driver's own function is loaded again
// at the next load of its content. The cache finds it so (lost) when the driver gives the
// handle for another load, or when a load finds that the program holds references
// already: only then can one of them be to a module that is gone, and the driver is asked.
//
// A module asked for functions on another device than its own is loaded there too, from
// the copy, until its last reference is given back (Cache.On).
//
// Terms: a content is an image on a device; a loaded is one module handle that
// the driver gave for it (one at a time unless sharing is refused); a site is an
// address at which a content was seen.
//
// Concurrency: everything may be called from any number of threads. Hits take
// no lock, but for the driver's or the kernel's own. One mutex, Cache.mu, guards the index by
// content; it is never held across a driver call or while program memory is
// read. The first load of a content is made by one thread, and others that want
// it meanwhile wait for that thread; a lost module is loaded again under content.again.
// Package locks has the order of the locks.
package modulecache
