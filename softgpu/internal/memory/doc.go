// Package memory moves words between registers of 64 lanes and the host's memory, at addresses that the caller has
// checked.
//
// access_unsafe.go loads, stores and updates; kernel_* gathers and scatters whole registers, in assembly on processors
// with AVX2. atomic*.go computes atomic instructions on words, for one lane and for 64. span.go classifies the layout
// of 64 addresses. Waves of other threads may access the same words at the same time, as on a GPU; atomics are atomic
// among all of them.
package memory
