// Package null is a driver without a device: every call succeeds at once and computes nothing. With it, benchmarks
// measure the library alone, and tests get kernels that take a chosen time.
//
// It is used only if MGPU_DRIVER=null asks for it.
package null
