// Package drivertest is the conformance suite for drivers.
//
// A driver's own test calls [Run] with a function that opens the driver and with [Images], which has the suite's
// kernels in the driver's format ([BuildAMD] makes them for AMD GPUs). If a driver can't do what a test asks, or is
// known to do it wrongly, its call names the test with a reason ([Unsupported], [ExpectFailure]). An expected failure
// that passes is a failure.
//
// Tests run one after another, each locked to an OS thread, on one open driver, and release everything in it. They
// assume nothing about times: a stream is kept busy by a kernel that spins until a flag is set. The kernel gives up
// after a bounded number of rounds, so that a wrong driver fails instead of hanging.
package drivertest
