// Package memory moves words between registers of 64 lanes and the host's memory, at
// addresses that the caller has checked.
//
// access_unsafe.go loads, stores and updates; kernel_* gathers and scatters whole registers,
// in assembly where there is AVX2. atomic*.go is what atomic instructions make of a word, for
// one lane and for 64. span.go tells how 64 addresses lie. Waves of other threads may access
// the same words at the same time, as on a GPU; atomics are atomic among all of them.
package memory
