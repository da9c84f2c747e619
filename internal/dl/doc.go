// Package dl opens shared libraries at run time and makes tables of their functions, so that drivers need no vendor's
// SDK to build or link.
//
// Libraries are opened with RTLD_NOW and RTLD_LOCAL, since drivers' libraries bring copies of other libraries (such as
// LLVM) that must not replace the program's. Libraries are never closed, since drivers' libraries start threads and
// register exit handlers.
//
// All functions may be called from any number of threads at once.
package dl
