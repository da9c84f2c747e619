// Package null is a driver without a device: every call succeeds at once and
// computes nothing. With it a benchmark measures the library alone, and tests
// of the entry layer get kernels that take a time of their choosing.
//
// It is never chosen by itself: MGPU_DRIVER=null asks for it.
package null
