// Package rocm runs programs on AMD's own HIP and ROCr, unmodified, over the software
// GPU: build/rocm/libmgpu_kfd.so answers for the kernel's driver.
//
// Where AMD's libraries are not installed, or ours is not built, the tests skip.
package rocm
