// Package codeobj reads device images as the vendors' loaders see them: how
// long an image is ([Extent]), what an AMDGPU code object holds ([Parse]),
// which entry of an offload bundle a chip takes ([Unbundle]), and whether two
// loads of one image may share a module ([Unshareable]).
//
// Images come from programs that pass no usable length, at any alignment, and
// may be damaged. So nothing that an image says is believed before it has been
// checked: lengths lie inside the image, counts are paid for by bytes that are
// there, and whatever is wrong becomes an error that names the part. No
// function panics, and none allocates more than a small multiple of the
// image's size (of its unpacked size, where a fatbin's entry is compressed).
//
// Ownership: byte slices of an [Object] alias the image given to Parse, which
// must stay unchanged as long as they are used; strings are copies.
//
// Concurrency: functions are safe for concurrent use; an Object is read-only
// after Parse.
//
// The formats are described by LLVM's "User Guide for AMDGPU Backend", the ELF
// gABI and clang's "Clang Offload Bundler".
package codeobj
