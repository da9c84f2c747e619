// Package drivertest is the conformance suite that every driver passes.
//
// A driver's own test calls [Run] with a function that opens the driver and
// with [Images] that hold the suite's kernels in the driver's format
// ([BuildAMD] makes them for AMD GPUs). Where a driver is not able to do what a
// test asks, or is known to do it wrong, its call says so by name and with a
// reason ([Unsupported], [ExpectFailure]); an expected failure that passes is a failure.
//
// Tests run one after another, each locked to an OS thread, on one open driver,
// and leave nothing behind in it. They make no assumption on times: a stream
// is kept busy by a kernel that spins until a flag is set, and that gives up
// after a bounded number of rounds, so that a broken driver fails and does not hang.
package drivertest
