// Package source finds lines of source by address: of the instructions in a GPU's code object, and of
// the calls in a host's executable or library. It reads DWARF's line tables and ELF's symbols.
//
// All functions may be called by any number of goroutines.
package source
