// Package dl opens shared libraries at run time and makes tables of their functions,
// so that drivers need no vendor's SDK to be built or linked.
//
// Libraries are opened with RTLD_NOW and RTLD_LOCAL: a vendor's library brings
// copies of others (LLVM among them) that must not meet the program's. They stay
// open for ever: those of vendors start threads and register exit handlers.
//
// Everything here may be called from any number of threads at once.
package dl
