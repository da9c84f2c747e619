// Package codeobj reads device images as the drivers' loaders do: how long an image is ([Extent]), what an AMDGPU code
// object contains ([Parse]), which entry of an offload bundle a chip uses ([Unbundle]), and whether two loads of one
// image may share a module ([Unshareable]).
//
// Images come from programs without a usable length and at any alignment, and may be damaged. So every value in an
// image is checked before it is used: lengths lie inside the image, and counts are bounded by the bytes that are there.
// Every fault is an error that names the damaged part. No function panics, and none allocates more than a small
// multiple of the image's size (of its unpacked size, if a fatbin's entry is compressed).
//
// Ownership: byte slices of an [Object] alias the image given to Parse, which must not change as long as they are used.
// Strings are copies.
//
// Concurrency: functions are safe for concurrent use; an Object is read-only
// after Parse.
//
// The formats are described by LLVM's "User Guide for AMDGPU Backend", the ELF
// gABI and clang's "Clang Offload Bundler".
package codeobj
