package codeobj

import (
	"debug/elf"
	"sort"
	"strings"
)

// Function is a function or kernel of an object's text.
type Function struct {
	Name       string
	Start, End uint64 // addresses; End is within the text
}

// Functions returns the functions and kernels of the text, by address. A function without a size ends where the next
// one begins.
func (o *Object) Functions() []Function {
	end := o.Text.Addr + uint64(len(o.Text.Bytes))
	var all []Function
	seen := map[uint64]bool{}
	add := func(name string, addr, size uint64) {
		if addr < o.Text.Addr || addr >= end || addr%4 != 0 || seen[addr] {
			return
		}
		seen[addr] = true
		all = append(all, Function{name, addr, addr + min(size, end-addr)})
	}
	for i := range o.Symbols {
		if s := &o.Symbols[i]; s.Defined() && s.Type == elf.STT_FUNC {
			add(s.Name, s.Value, s.Size)
		}
	}
	for i := range o.Kernels {
		add(strings.TrimSuffix(o.Kernels[i].Symbol, ".kd"), o.Kernels[i].EntryAddr, 0)
	}
	sort.Slice(all, func(i, j int) bool { return all[i].Start < all[j].Start })
	for i := range all {
		if f := &all[i]; f.End == f.Start {
			if f.End = end; i+1 < len(all) {
				f.End = all[i+1].Start
			}
		}
	}
	return all
}
