package watch

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// addtidSpread is global memory at a scalar address, with a word for each lane.
type addtidSpread struct {
	scalar int // register pair with the address; -1: none
	offset uint64
}

// addtidSpreadOf returns the spread of an instruction; nil if it is another instruction.
func addtidSpreadOf(i *encoding.Inst) spread {
	if !strings.Contains(i.Row.Name, "_addtid_") {
		return nil
	}
	s := &addtidSpread{scalar: -1, offset: uint64(int64(i.Imm))}
	for n := range i.Src {
		if i.Src[n].Kind == encoding.SReg {
			s.scalar = int(i.Src[n].Reg)
		}
	}
	return s
}

func (s *addtidSpread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment, a.Lanes = wave.Global, w.Exec()
	base := s.offset
	if s.scalar >= 0 {
		base += uint64(w.S[s.scalar]) | uint64(w.S[s.scalar+1])<<32
	}
	for l := range a.At {
		a.At[l] = base + uint64(l)*4
	}
}

// blockSpread is a word of those that an instruction on a block of registers transfers, if its bit is set in M0.
type blockSpread struct {
	first spread
	n     int
	data  wave.Registers // that a store writes
}

// wordsOfBlock returns the words of a block whose first word is at first.
func wordsOfBlock(first spread, i *encoding.Inst, t *wave.Touch) []spread {
	var words []spread
	for n := range int(max(i.Dst.Width, i.Src[1].Width)) {
		s := &blockSpread{first: first, n: n}
		if t.Op == wave.Writes {
			s.data = bind.BindRegisters(&i.Src[1]).Word(n)
		}
		words = append(words, s)
	}
	return words
}

func (s *blockSpread) lanes(w *wave.Wave, a *wave.Access) {
	if w.S[wave.M0]>>s.n&1 == 0 {
		return
	}
	s.first.lanes(w, a)
	a.Data = s.data
	for l := range a.At {
		a.At[l] += uint64(4 * s.n)
	}
}
