// Package hostcall answers the calls of kernels to the host: printf and device memory.
//
// A kernel with the functions of ROCm's device libraries (__ockl_hostcall_*) sends packets through shared memory, a
// [Buffer]. The wave takes a packet from a stack of free ones, writes a service number and eight words per active lane,
// pushes the packet on a stack of ready ones, and sleeps until the packet's ready bit is clear. The answer is two words
// per lane. Printf is a message of several packets: a begin, which assigns a number, then words of arguments and
// strings, then an end, which prints it. A failed assertion is a message for standard error, followed by a trap.
//
// A printf buffer ([Records]) is the older way, for OpenCL and -mprintf-kind=buffered: kernels append records to it,
// which are printed when the kernel has ended.
//
// Nothing that a kernel writes is trusted: lengths, indices and links are checked, and an inconsistent buffer is an
// error that ends the kernel.
//
// # Concurrency
//
// Serve may be called by any number of goroutines. One of them works at a time; the others return at once.
package hostcall
