// Package softgpu runs kernels on the software GPU from Go tests: it opens the
// driver, loads a code object, lays arguments out as a C caller does, launches
// and waits. Buffers are device memory that the test reads and writes in place.
//
// Invariants: a Device belongs to one test. Buffers lie outside the Go heap and
// are valid until that test ends.
//
// Concurrency: a Device is used by one goroutine at a time.
package softgpu
