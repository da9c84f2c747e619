// Package hostmem looks at memory of this process whose validity is in doubt:
// images whose length a caller did not say, pointers that a kernel computed.
//
// [Read] copies such memory without ever faulting. A [Map] is a snapshot of
// what the process has mapped, for many look-ups between two changes of it.
// [Probe] and [Reach] need no /proc: with all descriptors in use, in a sandbox or
// under a chroot there is none.
//
// Invariants: nothing here dereferences a doubtful address unless the kernel
// has just read it, and then only where neither process_vm_readv(2) nor
// /proc/self/mem can be used. A Map describes the past: another thread may have
// unmapped a region since.
//
// Concurrency: all functions may be called from any number of threads at once. A Map may
// be read by many threads; Refresh must not run at the same time as any other use of it.
package hostmem
