package codeobj

import (
	"debug/elf"
	"sort"
	"strings"
)

// HostUse tells whether a kernel asks the host for anything while it runs: to
// print, to report a failed assertion, for memory.
type HostUse uint8

const (
	HostUseNone  HostUse = iota // it has no way to
	HostUseMaybe                // it gets a buffer to do so, but nothing shows that it does: what compilers leave without optimization
	HostUseYes                  // it can reach a function that does
)

func (u HostUse) String() string {
	return [...]string{HostUseNone: "no", HostUseMaybe: "maybe", HostUseYes: "yes"}[u]
}

// asksHost are the beginnings of the names of functions that ask the host, in
// ROCm's device libraries and HIP's headers. They are too large to be inlined, or
// marked not to be.
var asksHost = []string{
	"__ockl_hostcall_", "__ockl_call_host_function", "__ockl_printf_", "__ockl_fprintf_", "__ockl_dm_alloc", "__ockl_dm_dealloc",
	"__ockl_devmem_request", "__ockl_sanitizer_report", "__assert_fail", "__assertfail", "__printf_alloc",
}

// HostUses tells, for the kernels of an image by name, whether they ask the host
// for anything. Of a bundle a kernel's worst code object counts. It is nil for
// images that are no AMDGPU code objects, or can't be read.
func HostUses(kind Kind, image []byte) map[string]HostUse {
	uses := map[string]HostUse{}
	add := func(image []byte) bool {
		o, err := Parse(image)
		if err != nil {
			return false
		}
		for i := range o.Kernels {
			k := &o.Kernels[i]
			uses[k.Name] = max(uses[k.Name], o.HostUse(k))
		}
		return true
	}
	switch kind {
	case KindHSACO:
		if !add(image) {
			return nil
		}
	case KindBundle:
		entries, _, err := bundleEntries(imageSource(image))
		if err != nil {
			return nil
		}
		for _, e := range entries {
			if _, triple, _ := strings.Cut(e.id, "-"); !strings.HasPrefix(triple, "amdgcn-") || e.size == 0 {
				continue
			}
			if end(e.off, e.size) > uint64(len(image)) || !add(image[e.off:e.off+e.size]) {
				return nil
			}
		}
	default:
		return nil
	}
	return uses
}

// HostUse tells whether k, a kernel of o, asks the host for anything.
func (o *Object) HostUse(k *Kernel) HostUse {
	buffer, printf := false, false
	for i := range k.Args {
		switch k.Args[i].Kind {
		case HiddenHostcallBuffer:
			buffer = true
		case HiddenPrintfBuffer:
			printf = true
		}
	}
	if !buffer && !printf {
		return HostUseNone
	}
	if o.callGraph().reaches(k, func(name string) bool { return hasAnyPrefix(name, asksHost) }) {
		return HostUseYes
	}
	return HostUseMaybe
}

// callGraph knows the functions of a text and what they refer to.
type callGraph struct {
	o         *Object
	functions []*Symbol // by address
	indirect  []uint64  // functions whose addresses lie in data
	slots     map[uint64]uint64
}

func (o *Object) callGraph() *callGraph {
	g := &callGraph{o: o, slots: map[uint64]uint64{}}
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
func (g *callGraph) function(addr uint64) *Symbol {
	i := sort.Search(len(g.functions), func(i int) bool { return g.functions[i].Value >= addr })
	if i < len(g.functions) && g.functions[i].Value == addr {
		return g.functions[i]
	}
	return nil
}

// reaches tells whether k refers to a function of such a name, by itself or
// through others.
func (g *callGraph) reaches(k *Kernel, is func(name string) bool) bool {
	seen := map[uint64]bool{k.EntryAddr: true}
	next := []uint64{k.EntryAddr}
	visit := func(addr uint64) {
		if !seen[addr] && g.function(addr) != nil {
			seen[addr] = true
			next = append(next, addr)
		}
	}
	if k.UsesDynamicStack { // calls what it finds in a table, or itself
		for _, addr := range g.indirect {
			visit(addr)
		}
	}
	for len(next) > 0 {
		addr := next[len(next)-1]
		next = next[:len(next)-1]
		// Several functions may share one place.
		for i := sort.Search(len(g.functions), func(i int) bool { return g.functions[i].Value >= addr }); i < len(g.functions) && g.functions[i].Value == addr; i++ {
			if is(g.functions[i].Name) {
				return true
			}
		}
		for _, to := range addressesIn(g.code(addr), addr) {
			if at, ok := g.slots[to]; ok {
				to = at // through the global offset table
			}
			visit(to)
		}
	}
	return false
}

// code is the text of the function at addr.
func (g *callGraph) code(addr uint64) []byte {
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

// addressesIn lists the addresses that code, which lies at addr, forms relative to
// itself: s_getpc_b64, and then the distance as two literals, which LLVM keeps
// together. Words that only look so give addresses where nothing is.
func addressesIn(code []byte, addr uint64) (found []uint64) {
	const (
		sop1, sop1Mask = 0xbe800000, 0xff800000
		addLo, addHi   = 0x8000ff00, 0x8200ff00 // s_add_u32 d, d, literal and s_addc_u32
		near           = 4                      // words that may stand between
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
