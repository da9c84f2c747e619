// Package hostcall answers what kernels ask of the host: printf, device memory.
//
// A kernel that the device libraries of ROCm have their part in (__ockl_hostcall_*)
// sends packets through memory that both sides see, a [Buffer]: the wave takes a
// packet off a stack of free ones, writes a service number and eight words per
// active lane, pushes it on a stack of ready ones, and sleeps until the packet's
// ready bit is clear. The answer is two words per lane. Printf is a message of
// several packets: a begin, which gives it a number, then words of arguments and
// strings, then an end, which prints it. A failed assertion is a message for
// standard error, followed by a trap.
//
// A printf buffer ([Records]) is the older way, of OpenCL and of -mprintf-kind=buffered:
// kernels append records to it, which are printed when the kernel is over.
//
// Nothing that a kernel writes is believed: lengths, indices and links are checked,
// and a buffer that does not hold together is an error, which ends the kernel.
//
// # Concurrency
//
// Serve may be called by any number of goroutines; one of them works at a time and
// the others return at once.
package hostcall
