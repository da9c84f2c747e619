package waits

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// node is one instruction.
type node struct {
	uses  *wave.Uses
	next  []uint32 // offsets at which execution continues, in bytes
	calls bool     // it calls a function, which returns after it
	high  encoding.HighBits
}

// text is the part of a program that is reachable from its entries.
type text struct {
	at    map[uint32]*node
	meets map[uint32]bool // entries and targets of branches
}

// read decodes what is reachable from the entries. Paths end at words that are not instructions.
func read(code []byte, entries []uint32, chip encoding.Chip) *text {
	t := &text{at: map[uint32]*node{}, meets: map[uint32]bool{}}
	type place struct {
		at   uint32
		high encoding.HighBits
	}
	var next []place
	for _, e := range entries {
		t.meets[e] = true
		next = append(next, place{at: e})
	}
	for len(next) > 0 {
		at, high := next[len(next)-1].at, next[len(next)-1].high
		next = next[:len(next)-1]
		if t.at[at] != nil {
			continue
		}
		i, err := rows.Decode(code, at, chip)
		if err != nil {
			continue
		}
		high.Raise(&i)
		n := &node{uses: watch.UsesOf(&i), high: high}
		t.at[at] = n
		n.next, n.calls = goesTo(&i)
		if len(n.next) > 1 || len(n.next) == 1 && n.next[0] != at+uint32(i.Size) {
			for _, to := range n.next {
				t.meets[to] = true
			}
		}
		for _, to := range n.next {
			next = append(next, place{to, high.After(&i)})
		}
	}
	return t
}

// goesTo returns where execution continues after an instruction. Jumps to addresses in registers have no target.
func goesTo(i *encoding.Inst) (next []uint32, calls bool) {
	after := i.Offset + uint32(i.Size)
	target, branches := i.Target()
	switch name := i.Row.Kin(); {
	case strings.HasPrefix(name, "s_endpgm"), name == "s_setpc_b64", name == "s_rfe_b64":
		return nil, false
	case name == "s_swappc_b64", name == "s_call_b64":
		return []uint32{after}, true
	case name == "s_branch":
		return []uint32{target}, false
	case branches:
		return []uint32{after, target}, false
	}
	return []uint32{after}, false
}
