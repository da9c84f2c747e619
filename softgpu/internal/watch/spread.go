package watch

import (
	"math"
	"math/bits"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// spreads returns the places that a memory instruction accesses.
func spreads(i *encoding.Inst, t *wave.Touch) []spread {
	var places []spread
	switch i.Enc {
	case encoding.DS:
		places = workgroupSpreads(i, t)
	case encoding.FLAT:
		switch i.Seg {
		case encoding.SegFlat:
			f := flatSpread{addr: bind.BindRegisters(&i.Src[0]), offset: uint64(int64(i.Imm))}
			places = []spread{&flatSpread{f.addr, f.offset, wave.Global}, &flatSpread{f.addr, f.offset, wave.Workgroup}, &flatSpread{f.addr, f.offset, wave.Private}}
		case encoding.SegScratch:
			places = []spread{&scratchSpread{*bind.BindScratch(i)}}
		default:
			places = []spread{&globalSpread{*bind.BindGlobal(i)}}
			if a := addtidSpreadOf(i); a != nil {
				places = []spread{a}
			}
			if asynchronous(i) {
				a := bind.BindAsync(i)
				return []spread{&globalSpread{*a.GlobalSpace}, &asyncSpread{a, t.Op}}
			}
		}
	case encoding.MUBUF, encoding.MTBUF:
		b := &bufferSpread{BufferSpace: bind.BindBuffer(i)}
		if converts(i.Row.Kin()) {
			b.format = bind.BindFormat(i)
		}
		places = []spread{b}
	case encoding.VTENSOR:
		return []spread{&tensorSpread{bind.BindTensor(i)}}
	case encoding.SMEM:
		base, data := 0, &i.Dst
		if t.Op == wave.Writes {
			base, data = 1, &i.Src[0]
		}
		places = []spread{&scalarSpread{bind.BindScalarSpace(i, base, data), strings.HasPrefix(i.Row.Kin(), "s_buffer")}}
	}
	if strings.HasSuffix(i.Row.Kin(), "_block") {
		places = wordsOfBlock(places[0], i, t)
	}
	if i.LDS || strings.Contains(i.Row.Kin(), "_load_lds_") {
		places = append(places, &intoWorkgroup{uint64(int64(i.Imm)), bind.LDSOffset(i.Chip), max(t.Size, 4)})
	}
	return places
}

// spanning returns what spans all places; nil if nothing does.
func spanning(places []spread) spanned {
	if len(places) == 1 {
		s, _ := places[0].(spanned)
		return s
	}
	first, ok := places[0].(*workgroupSpread)
	second, both := places[1].(*workgroupSpread)
	if len(places) != 2 || !ok || !both {
		return nil
	}
	return &workgroupPair{*first, second.offset}
}

// addressBits returns the bits that are set in any lane's offset. If the offsets have a known shape, that is the lowest
// three bits.
func addressBits(r *alu.Lanes, shape uint8, lanes int) uint32 {
	switch shape {
	case memory.InRow:
		return r[0]&3 | 4
	case memory.InOne:
		return r[0] & 7
	}
	var a, b, c, d uint32
	for l := 0; l < lanes; l += 4 {
		a |= r[l]
		b |= r[l+1]
		c |= r[l+2]
		d |= r[l+3]
	}
	return a | b | c | d
}

type workgroupSpread struct {
	addr   wave.Registers
	offset uint64
}

func workgroupSpreads(i *encoding.Inst, t *wave.Touch) []spread {
	name := i.Row.Kin()
	switch {
	case strings.Contains(name, "_addtid_"):
		return []spread{&m0Spread{bind.BindM0LDS(i, 4), false}}
	case name == "ds_append" || name == "ds_consume":
		return []spread{&m0Spread{bind.BindM0LDS(i, 0), true}}
	}
	addr := bind.BindRegisters(&i.Src[0])
	if !strings.Contains(name, "read2") && !strings.Contains(name, "write2") && !strings.Contains(name, "wrxchg2") {
		return []spread{&workgroupSpread{addr, uint64(uint16(i.Imm))}}
	}
	by := t.Size
	if strings.Contains(name, "st64") {
		by *= 64
	}
	first, second := bind.Offsets(i, by)
	return []spread{&workgroupSpread{addr, first}, &workgroupSpread{addr, second}}
}

func (s *workgroupSpread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment, a.Lanes = wave.Workgroup, w.Exec()
	from := s.addr.Of(w, 0)
	for l := range from {
		a.At[l] = uint64(from[l] + uint32(s.offset)) // the sum has 32 bits
	}
}

// m0Spread is LDS from an address in M0 on, or one word there.
type m0Spread struct {
	*bind.M0LDS
	once bool // for all lanes
}

func (s *m0Spread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment, a.Lanes = wave.Workgroup, w.Exec()
	if s.once {
		a.Lanes &= -a.Lanes
	}
	first := s.At(w)
	for l := range a.At {
		a.At[l] = first + s.Each*uint64(l)
	}
}

func (s *workgroupSpread) span(w *wave.Wave) (at wave.Span, ok bool) {
	lanes := alu.FirstLanes(w.Exec())
	if lanes == 0 {
		return at, false
	}
	from := s.addr.Of(w, 0)
	lo, hi, shape := memory.SpanOf(from, &alu.Zeros, lanes)
	if uint64(hi)+s.offset > math.MaxUint32 {
		return at, false
	}
	return wave.Span{Segment: wave.Workgroup, Low: uint64(lo) + s.offset, High: uint64(hi) + s.offset, Bits: uint64(addressBits(from, shape, lanes)) | s.offset}, true
}

// workgroupPair is two places with the same addresses and different offsets.
type workgroupPair struct {
	workgroupSpread
	second uint64
}

func (s *workgroupPair) span(w *wave.Wave) (at wave.Span, ok bool) {
	at, ok = s.workgroupSpread.span(w)
	at.Low += min(s.offset, s.second) - s.offset
	at.High += max(s.offset, s.second) - s.offset
	at.Bits |= s.second
	return at, ok
}

type globalSpread struct{ bind.GlobalSpace }

func (s *globalSpread) halves(w *wave.Wave) (lo, hi *alu.Lanes, base uint64) {
	lo, hi, base = s.Addr.Of(w, 0), &alu.Zeros, s.Offset
	if s.Scalar >= 0 {
		return lo, hi, base + w.S64(s.Scalar)
	}
	return lo, s.Addr.Of(w, 1), base
}

func (s *globalSpread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment, a.Lanes = wave.Global, w.Exec()
	lo, hi, base := s.halves(w)
	for l := range lo {
		a.At[l] = alu.Join(lo[l], hi[l]) + base
	}
}

func (s *globalSpread) span(w *wave.Wave) (at wave.Span, ok bool) {
	lanes := alu.FirstLanes(w.Exec())
	if lanes == 0 {
		return at, false
	}
	from, hi, base := s.halves(w)
	l, h, shape := memory.SpanOf(from, hi, lanes)
	base += uint64(hi[0]) << 32
	return wave.Span{Segment: wave.Global, Low: base + uint64(l), High: base + uint64(h), Bits: uint64(addressBits(from, shape, lanes)) | base}, shape != memory.Shapeless
}

// flatSpread finds the lanes of a flat instruction that access one kind of memory.
type flatSpread struct {
	addr    wave.Registers
	offset  uint64
	segment wave.Segment
}

func (s *flatSpread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment = s.segment
	lo, hi := s.addr.Of(w, 0), s.addr.Of(w, 1)
	shared, private := uint32(w.SharedBase>>32), uint32(w.PrivateBase>>32)
	for k := w.Exec(); k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		is, at := wave.Global, alu.Join(lo[l], hi[l])
		switch {
		case shared != 0 && hi[l] == shared:
			is, at = wave.Workgroup, uint64(lo[l])
		case private != 0 && hi[l] == private:
			is, at = wave.Private, uint64(lo[l])
		}
		if is == s.segment {
			a.At[l] = at + s.offset
			a.Lanes |= 1 << uint(l)
		}
	}
}

type scratchSpread struct{ bind.ScratchSpace }

func (s *scratchSpread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment, a.Lanes = wave.Private, w.Exec()
	off, from := s.Offset, &alu.Zeros
	if s.Scalar >= 0 {
		off += w.S[s.Scalar&wave.AllScalars]
	}
	if s.Addr.Count != 0 {
		from = s.Addr.Of(w, 0)
	}
	for l := range from {
		a.At[l] = uint64(from[l] + off)
	}
}

type bufferSpread struct {
	*bind.BufferSpace
	format bind.FormatSpace // tells how much a lane accesses; nil: the instruction does
}

// lanes leaves out lanes that are out of the resource's range, which may read 0 there. A scalar offset moves private
// memory by the number of rows of 64 lanes that it holds.
func (s *bufferSpread) lanes(w *wave.Wave, a *wave.Access) {
	r := w.BufferResource(s.Resource, s.Layout)
	scalar := s.ScalarOffset(w, r.Private())
	x, y := s.Vectors(w)
	if s.format != nil {
		if a.Size = s.format.Size(w); a.Size == 0 {
			return
		}
	}
	if r.Private() {
		a.Segment, a.Lanes = wave.Private, w.Exec()
		for l := range y {
			a.At[l] = uint64(x[l])*r.Stride + uint64(y[l]+uint32(s.Imm)) + scalar/r.RowLanes
		}
		return
	}
	a.Segment = wave.Global
	for k := w.Exec(); k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		index, offset := uint64(x[l]), uint64(y[l])+s.Imm
		if r.AddLane {
			index += uint64(l)
		}
		if !r.Outside(s.Index, index, offset, scalar, a.Size) {
			a.At[l] = r.Base + scalar + r.Place(index, offset)
			a.Lanes |= 1 << uint(l)
		}
	}
}

// span is for spills, which access the same place of private memory in all lanes.
func (s *bufferSpread) span(w *wave.Wave) (at wave.Span, ok bool) {
	r := w.BufferResource(s.Resource, s.Layout)
	if s.Index || s.Offset || s.format != nil || !r.Private() || r.RowLanes != 64 {
		return at, false
	}
	off := s.Imm + s.ScalarOffset(w, true)/64
	return wave.Span{Segment: wave.Private, Low: off, High: off, Bits: off}, true
}

// scalarSpread is one access, as lane 0. Addresses are rounded down, so the lowest bits say what the program meant.
type scalarSpread struct {
	*bind.ScalarSpace
	buffer bool
}

func (s *scalarSpread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment = wave.Global
	if !s.buffer {
		a.At[0], a.Lanes = w.S64(s.Base)+s.Delta(w), 1
		return
	}
	r := w.BufferResource(s.Base, s.Layout)
	end := r.Records
	if r.Stride != 0 {
		end *= r.Stride
	}
	if off := s.Delta(w) &^ 3; off+4 <= end {
		a.At[0], a.Lanes = r.Base+off, 1
		a.Size = min(a.Size, (end-off)&^3)
	}
}

func (s *scalarSpread) span(w *wave.Wave) (at wave.Span, ok bool) {
	if s.buffer {
		return at, false
	}
	addr := w.S64(s.Base) + s.Delta(w)
	return wave.Span{Segment: wave.Global, Low: addr, High: addr, Bits: addr}, true
}

// intoWorkgroup is what a load into LDS writes: words for each lane, from m0 on.
type intoWorkgroup struct {
	offset uint64
	mask   uint32 // of M0
	size   uint64 // bytes that each lane writes
}

func (s *intoWorkgroup) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment, a.Op, a.Data = wave.Workgroup, wave.Writes, wave.Registers{}
	a.Lanes = w.Exec()
	a.Size = s.size
	base := uint64(w.S[wave.M0]&s.mask) + s.offset
	for l := range a.At {
		a.At[l] = base + uint64(l)*s.size
	}
}

// asynchronous reports whether an instruction copies between memory and LDS.
func asynchronous(i *encoding.Inst) bool {
	return i.Enc == encoding.FLAT && strings.Contains(i.Row.Name, "_async_")
}

// asyncSpread is the LDS of such an instruction, which writes there what it reads from memory, or the reverse.
type asyncSpread struct {
	bind.AsyncCopy
	global wave.Operation
}

func (s *asyncSpread) lanes(w *wave.Wave, a *wave.Access) {
	a.Segment, a.Op, a.Data, a.Lanes = wave.Workgroup, wave.Writes, wave.Registers{}, w.Exec()
	if s.global == wave.Writes {
		a.Op = wave.Reads
	}
	for m := w.Exec(); m != 0; m &= m - 1 {
		l := bits.TrailingZeros64(m) & 63
		a.At[l] = s.InLDS(w, l)
	}
}
