// Package kfd stands in for AMD's kernel driver: it answers AMD's libraries for /dev/kfd, the render nodes and their
// files below /sys.
//
// A [Driver] is the driver's state of one process. [Driver.Find] answers for paths, [Driver.Ioctl] for control calls,
// [Driver.Map] and [Driver.Unmap] for the mappings of the process. Package main in ../library exports them to the
// preloaded C library.
//
// # Files
//
// Each device is a sparse file in memory: one for /dev/kfd, one for each GPU's render node, which has the GPU's memory.
// Descriptors are the kernel's, so closing, duplicating, passing and polling them needs no code here.
//
// # Memory
//
// The host chooses the addresses. Memory that a GPU uses is mapped at the same address in the process, and stays mapped
// as long as a kernel may access it (hsa.System.Place). Registered host memory may have another address on the GPU.
//
// # Processes
//
// Memory is named by process, descriptor, offset and size: in the name of the file that stands for a dma-buf, and in
// the handles of IPC. Another process opens the file below /proc.
//
// # Locks
//
// Driver.mu comes before those of package hsa; store.mu is taken last.
package kfd
