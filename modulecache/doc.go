// Package modulecache loads each code object once per device and resolves each
// kernel name once per module, however often a program asks.
//
// A module's identity is its content: a 64-bit hash finds a candidate, and the
// bytes decide. An address is only ever a shortcut to a candidate, because JIT
// compilers put other code where old code was. A hit on an address is trusted
// without looking at the bytes in one case: they lie in memory that cannot
// change while its object stays loaded (Config.Stable), and no object was unloaded since
// they were last compared (the generation that the caller passes).
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
// A module asked for functions on another device than its own is loaded there too, from
// the copy, until its last reference is given back (Cache.On).
//
// Terms: a content is an image on a device; a loaded is one module handle that
// the driver gave for it (exactly one unless sharing is refused); a site is an
// address at which a content was seen.
//
// Concurrency: everything may be called from any number of threads. Hits take
// no lock, but for the driver's or the kernel's own. One mutex, Cache.mu, guards the index by
// content; it is never held across a driver call or while program memory is
// read. The first load of a content is made by one thread, and others that want
// it meanwhile wait for that thread. Lock order: Cache.mu, then those inside addrmap.
package modulecache
