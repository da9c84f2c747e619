// Command postlink takes the relocations of Go's data out of the loader's sight,
// in a library that applies them itself when it is first called (relocate.c in the
// root package), and drops what only linkers and debuggers read.
//
//	postlink LINKED RESULT
//
// LINKED is a shared library for x86-64 Linux with its symbols, linked with
// -E=mgpu_late_entry. In RESULT
//
//   - the relative relocations whose place is in Go's data are no longer among
//     those that the dynamic section counts. They lie behind them, sorted by place,
//     in a section of their own, .mgpu.rela, so that strip and its like keep them;
//   - the variable mgpu_late_relocations says where they are and how many;
//   - sections that are not loaded are gone, but for .comment and the names;
//   - the build id is of the result's contents.
//
// Nothing loaded changes its address. What belongs to C is never delayed: of the
// data only the ranges between symbols that Go's linker puts around its own count,
// and one in which a C file has a variable is refused. Equal input gives equal
// output. RESULT is written last and whole.
package main
