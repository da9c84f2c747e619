// Package kfd answers for AMD's kernel driver: what /dev/kfd, the render nodes and their files below
// /sys tell AMD's own libraries of the software GPU.
//
// A [Driver] has what a process has of the driver. [Driver.Find] answers for paths, [Driver.Ioctl] for
// control calls, [Driver.Map] and [Driver.Unmap] for the mappings of the process; package main in
// ../library exports them to the C library that is preloaded.
//
// # Files
//
// Each device is a sparse file in memory: /dev/kfd one, each GPU's render node another. GPUs' memory
// is what lies in the latter. Descriptors are the kernel's, so closing, duplicating, passing on and
// polling them needs nothing here.
//
// # Memory
//
// The host chooses the addresses. What a GPU uses is mapped at the same address in the process, and
// stays so for as long as a kernel may touch it (hsa.System.Place). Memory of the host that was
// registered may have another address on the GPU.
//
// # Processes
//
// Memory is named by process, descriptor, offset and size: in the name of the file that stands for a
// dma-buf, and in the handles of IPC. Another process opens the file below /proc.
//
// # Locks
//
// Driver.mu comes before those of package hsa; store.mu is taken last.
package kfd
