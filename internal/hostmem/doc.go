// Package hostmem accesses memory of this process that may be invalid: images whose length the caller did not pass,
// pointers that a kernel computed.
//
// [Read] copies such memory without ever faulting. A [Map] is a snapshot of the process's mappings, for many look-ups
// between two changes. [Probe] and [Reach] need no /proc, which is missing when all descriptors are in use, in a
// sandbox and in a chroot.
//
// Invariants: no function dereferences a doubtful address unless the kernel has just read it, and then only if neither
// process_vm_readv(2) nor /proc/self/mem can be used. A Map describes the past: another thread may have unmapped a
// region since.
//
// Concurrency: all functions may be called from any number of threads at once. Many threads may read a Map; Refresh
// must not run concurrently with any other use of the Map.
package hostmem
