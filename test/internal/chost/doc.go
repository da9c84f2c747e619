// Package chost compiles C and C++ programs and runs them as hosts of the built
// library: the tests of the entry layer need callers that are not Go.
//
// The library is build/libmlir_rocm_runtime.so, or what MGPU_LIB names. Where it
// has not been built the tests skip and say so.
package chost
