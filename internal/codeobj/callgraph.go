package codeobj

import (
	"debug/elf"
	"sort"
)

// CallGraph has the functions of an object's text and their references to each other. It is for one goroutine at a
// time.
type CallGraph struct {
	o         *Object
	functions []*Symbol           // by address
	indirect  []uint64            // functions whose addresses are in data
	slots     map[uint64]uint64   // by address: the addresses that are stored there
	edges     map[uint64][]uint64 // by function: the functions that it refers to, as far as they were queried
}

// CallGraph reads the references between the object's functions.
func (o *Object) CallGraph() *CallGraph {
	g := &CallGraph{o: o, slots: map[uint64]uint64{}, edges: map[uint64][]uint64{}}
	for i := range o.Symbols {
		if s := &o.Symbols[i]; s.Defined() && s.Type == elf.STT_FUNC {
			g.functions = append(g.functions, s)
		}
	}
	sort.SliceStable(g.functions, func(i, j int) bool { return g.functions[i].Value < g.functions[j].Value })
	for i := range o.Relocs {
		r := &o.Relocs[i]
		var symbol uint64
		if r.Symbol >= 0 {
			symbol = o.Symbols[r.Symbol].Value
		}
		if r.Size() == 8 {
			at := r.Value(0, symbol)
			g.slots[r.Addr] = at
			if g.function(at) != nil {
				g.indirect = append(g.indirect, at)
			}
		}
	}
	return g
}

// function returns the function that starts at addr, or nil.
func (g *CallGraph) function(addr uint64) *Symbol {
	i := sort.Search(len(g.functions), func(i int) bool { return g.functions[i].Value >= addr })
	if i < len(g.functions) && g.functions[i].Value == addr {
		return g.functions[i]
	}
	return nil
}

// reaches reports whether k is a function for which is returns true, or refers to one, directly or through other
// functions.
func (g *CallGraph) reaches(k *Kernel, is func(name string, code []byte) bool) bool {
	seen := map[uint64]bool{k.EntryAddr: true}
	next := []uint64{k.EntryAddr}
	visit := func(addr uint64) {
		if !seen[addr] && g.function(addr) != nil {
			seen[addr] = true
			next = append(next, addr)
		}
	}
	if k.UsesDynamicStack { // it calls functions from a table, or itself
		for _, addr := range g.indirect {
			visit(addr)
		}
	}
	for len(next) > 0 {
		addr := next[len(next)-1]
		next = next[:len(next)-1]
		// Several functions may have the same address.
		for i := sort.Search(len(g.functions), func(i int) bool { return g.functions[i].Value >= addr }); i < len(g.functions) && g.functions[i].Value == addr; i++ {
			if is(g.functions[i].Name, g.code(addr)) {
				return true
			}
		}
		for _, to := range g.from(addr) {
			visit(to)
		}
	}
	return false
}

// from returns the functions to which the function at addr refers.
func (g *CallGraph) from(addr uint64) []uint64 {
	known, ok := g.edges[addr]
	if ok {
		return known
	}
	for _, to := range AddressesIn(g.code(addr), addr) {
		if at, ok := g.slots[to]; ok {
			to = at // through the global offset table
		}
		if g.function(to) != nil {
			known = append(known, to)
		}
	}
	g.edges[addr] = known
	return known
}

// code returns the text of the function at addr.
func (g *CallGraph) code(addr uint64) []byte {
	text := g.o.Text
	if addr < text.Addr || addr >= text.Addr+uint64(len(text.Bytes)) {
		return nil
	}
	stop := text.Addr + uint64(len(text.Bytes))
	i := sort.Search(len(g.functions), func(i int) bool { return g.functions[i].Value > addr })
	if i < len(g.functions) {
		stop = min(stop, g.functions[i].Value)
	}
	return text.Bytes[addr-text.Addr : stop-text.Addr]
}

// Indirect returns the functions whose addresses are in the object's data.
func (o *Object) Indirect() []uint64 { return o.CallGraph().indirect }

// AddressesIn returns the addresses that code at addr forms relative to its own address. It looks for s_getpc_b64
// followed by an addition of two literals, which LLVM emits together. Words that match by accident give addresses at
// which there is no function.
func AddressesIn(code []byte, addr uint64) (found []uint64) {
	const (
		sop1, sop1Mask = 0xbe800000, 0xff800000
		addLo, addHi   = 0x8000ff00, 0x8200ff00 // s_add_u32 d, d, literal and s_addc_u32
		near           = 4                      // words that may be between the two
	)
	getpc := map[uint32]bool{0x1c: true, 0x1f: true, 0x47: true} // GFX9, GFX10, GFX11 and later
	word := func(off int) uint32 {
		if off+4 > len(code) {
			return 0
		}
		return le.Uint32(code[off:])
	}
	for off := 0; off+4 <= len(code); off += 4 {
		w := word(off)
		if w&sop1Mask != sop1 || !getpc[w>>8&0xff] {
			continue
		}
		d := w >> 16 & 0x7f
		for at := off + 4; at <= off+4*near; at += 4 {
			if word(at) == addLo|d<<16|d && word(at+8) == addHi|(d+1)<<16|(d+1) {
				found = append(found, addr+uint64(off)+4+(uint64(word(at+4))|uint64(word(at+12))<<32))
				break
			}
		}
	}
	return found
}
