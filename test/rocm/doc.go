// Package rocm runs programs on AMD's own HIP and ROCr, unmodified, over the software
// GPU: build/rocm/libhsakmt.so.1 takes the place of AMD's library of that name.
//
// Where AMD's libraries are not installed, or ours is not built, the tests skip.
package rocm
