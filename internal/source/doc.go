// Package source finds source lines by address: of instructions in a GPU's code object, and of calls in a host
// executable or library. It reads DWARF line tables and ELF symbols.
//
// All functions may be called by any number of goroutines.
package source
