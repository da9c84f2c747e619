package source

import (
	"debug/dwarf"
	"iter"
)

// mostNulls is the longest run of null entries that Entries reads. Each ends a list of children, or fills a unit up.
const mostNulls = 1 << 16

// Entries returns the entries that a reader reads up to the end or the first error, without null entries. It stops after
// mostNulls null entries: where .debug_info ends within a number, debug/dwarf returns null entries without end.
func Entries(r *dwarf.Reader) iter.Seq[*dwarf.Entry] {
	return func(yield func(*dwarf.Entry) bool) {
		for nulls := 0; nulls < mostNulls; {
			e, err := r.Next()
			if e == nil || err != nil {
				return
			}
			if e.Tag == 0 {
				nulls++
				continue
			}
			nulls = 0
			if !yield(e) {
				return
			}
		}
	}
}
