package gcn

import (
	"math"
	"math/bits"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
)

// spreads finds the places that a memory instruction touches.
func spreads(i *Inst, t *Touch) []spread {
	var places []spread
	switch i.Enc {
	case DS:
		places = workgroupSpreads(i, t)
	case FLAT:
		switch i.Seg {
		case segFlat:
			f := flatSpread{addr: bindRegisters(&i.Src[0]), offset: uint64(int64(i.Imm))}
			places = []spread{&flatSpread{f.addr, f.offset, Global}, &flatSpread{f.addr, f.offset, Workgroup}, &flatSpread{f.addr, f.offset, Private}}
		case segScratch:
			places = []spread{&scratchSpread{*bindScratch(i)}}
		default:
			places = []spread{&globalSpread{*bindGlobal(i)}}
		}
	case MUBUF:
		places = []spread{&bufferSpread{bindBuffer(i)}}
	case SMEM:
		base, data := 0, &i.Dst
		if t.Op == Writes {
			base, data = 1, &i.Src[0]
		}
		places = []spread{&scalarSpread{bindScalarSpace(i, base, data), strings.HasPrefix(i.Row.kin(), "s_buffer")}}
	}
	if i.LDS || strings.Contains(i.Row.kin(), "_load_lds_") {
		places = append(places, &intoWorkgroup{uint64(int64(i.Imm)), ldsOffset(i.Chip), max(t.Size, 4)})
	}
	return places
}

// spanning is what spans all places, nil if nothing does.
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

// addressBits is the bits that are set in any lane's offset, the lowest three of them
// where the offsets have a shape that is known.
func addressBits(r *alu.Lanes, shape uint8) uint32 {
	switch shape {
	case memory.InRow:
		return r[0]&3 | 4
	case memory.InOne:
		return r[0] & 7
	}
	var a, b, c, d uint32
	for l := 0; l < len(r); l += 4 {
		a |= r[l]
		b |= r[l+1]
		c |= r[l+2]
		d |= r[l+3]
	}
	return a | b | c | d
}

type workgroupSpread struct {
	addr   registers
	offset uint64
}

func workgroupSpreads(i *Inst, t *Touch) []spread {
	addr := bindRegisters(&i.Src[0])
	name := i.Row.kin()
	if !strings.Contains(name, "read2") && !strings.Contains(name, "write2") && !strings.Contains(name, "wrxchg2") {
		return []spread{&workgroupSpread{addr, uint64(uint16(i.Imm))}}
	}
	by := t.Size
	if strings.Contains(name, "st64") {
		by *= 64
	}
	first, second := offsets(i, by)
	return []spread{&workgroupSpread{addr, first}, &workgroupSpread{addr, second}}
}

func (s *workgroupSpread) lanes(w *Wave, a *Access) {
	a.Segment, a.Lanes = Workgroup, w.Exec()
	from := s.addr.of(w, 0)
	for l := range from {
		a.At[l] = uint64(from[l] + uint32(s.offset)) // the sum has 32 bits
	}
}

func (s *workgroupSpread) span(w *Wave) (at Span, ok bool) {
	if w.Exec() != alu.Full {
		return at, false
	}
	from := s.addr.of(w, 0)
	lo, hi, shape := memory.SpanOf(from, &alu.Zeros)
	if uint64(hi)+s.offset > math.MaxUint32 {
		return at, false
	}
	return Span{Workgroup, uint64(lo) + s.offset, uint64(hi) + s.offset, uint64(addressBits(from, shape)) | s.offset}, true
}

// workgroupPair is two places at the same addresses with different offsets.
type workgroupPair struct {
	workgroupSpread
	second uint64
}

func (s *workgroupPair) span(w *Wave) (at Span, ok bool) {
	at, ok = s.workgroupSpread.span(w)
	at.Low += min(s.offset, s.second) - s.offset
	at.High += max(s.offset, s.second) - s.offset
	at.Bits |= s.second
	return at, ok
}

type globalSpread struct{ globalSpace }

func (s *globalSpread) halves(w *Wave) (lo, hi *alu.Lanes, base uint64) {
	lo, hi, base = s.addr.of(w, 0), &alu.Zeros, s.offset
	if s.scalar >= 0 {
		return lo, hi, base + w.s64(s.scalar)
	}
	return lo, s.addr.of(w, 1), base
}

func (s *globalSpread) lanes(w *Wave, a *Access) {
	a.Segment, a.Lanes = Global, w.Exec()
	lo, hi, base := s.halves(w)
	for l := range lo {
		a.At[l] = alu.Join(lo[l], hi[l]) + base
	}
}

func (s *globalSpread) span(w *Wave) (at Span, ok bool) {
	if w.Exec() != alu.Full {
		return at, false
	}
	from, hi, base := s.halves(w)
	l, h, shape := memory.SpanOf(from, hi)
	base += uint64(hi[0]) << 32
	return Span{Global, base + uint64(l), base + uint64(h), uint64(addressBits(from, shape)) | base}, shape != memory.Shapeless
}

// flatSpread finds those lanes of a flat instruction that mean one kind of memory.
type flatSpread struct {
	addr    registers
	offset  uint64
	segment Segment
}

func (s *flatSpread) lanes(w *Wave, a *Access) {
	a.Segment = s.segment
	lo, hi := s.addr.of(w, 0), s.addr.of(w, 1)
	shared, private := uint32(w.SharedBase>>32), uint32(w.PrivateBase>>32)
	for k := w.Exec(); k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		is, at := Global, alu.Join(lo[l], hi[l])
		switch {
		case shared != 0 && hi[l] == shared:
			is, at = Workgroup, uint64(lo[l])
		case private != 0 && hi[l] == private:
			is, at = Private, uint64(lo[l])
		}
		if is == s.segment {
			a.At[l] = at + s.offset
			a.Lanes |= 1 << uint(l)
		}
	}
}

type scratchSpread struct{ scratchSpace }

func (s *scratchSpread) lanes(w *Wave, a *Access) {
	a.Segment, a.Lanes = Private, w.Exec()
	off, from := s.offset, &alu.Zeros
	if s.scalar >= 0 {
		off += w.S[s.scalar&allScalars]
	}
	if s.addr.count != 0 {
		from = s.addr.of(w, 0)
	}
	for l := range from {
		a.At[l] = uint64(from[l] + off)
	}
}

type bufferSpread struct{ *bufferSpace }

// lanes leaves out lanes that the resource finds out of range: reading 0 there
// is what bounds are for. A scalar offset moves private memory by as many rows
// of 64 lanes as it has room for.
func (s *bufferSpread) lanes(w *Wave, a *Access) {
	r := w.bufferResource(s.resource)
	scalar := uint64(s.scalar.u32(w))
	private := r.swizzle && r.addLane
	x, y := s.vectors(w)
	if private {
		a.Segment, a.Lanes = Private, w.Exec()
		for l := range y {
			a.At[l] = uint64(x[l])*r.stride + uint64(y[l]) + s.imm + scalar/r.rowLanes
		}
		return
	}
	a.Segment = Global
	for k := w.Exec(); k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		index, offset := uint64(x[l]), uint64(y[l])+s.imm
		if r.addLane {
			index += uint64(l)
		}
		if !r.outside(s.index, index, offset, scalar, a.Size) {
			a.At[l] = r.base + scalar + r.place(index, offset)
			a.Lanes |= 1 << uint(l)
		}
	}
}

// span serves spills: the same place of private memory in all lanes.
func (s *bufferSpread) span(w *Wave) (at Span, ok bool) {
	r := w.bufferResource(s.resource)
	if s.index || s.offset || !r.swizzle || !r.addLane || r.rowLanes != 64 {
		return at, false
	}
	off := s.imm + uint64(s.scalar.u32(w))/64
	return Span{Private, off, off, off}, true
}

// scalarSpread is one access that stands as lane 0. Addresses are rounded down,
// so its own lowest bits tell what the program meant.
type scalarSpread struct {
	*scalarSpace
	buffer bool
}

func (s *scalarSpread) lanes(w *Wave, a *Access) {
	a.Segment = Global
	if !s.buffer {
		a.At[0], a.Lanes = w.s64(s.base)+s.delta(w), 1
		return
	}
	r := w.bufferResource(s.base)
	end := r.records
	if r.stride != 0 {
		end *= r.stride
	}
	if off := s.delta(w) &^ 3; off+4 <= end {
		a.At[0], a.Lanes = r.base+off, 1
		a.Size = min(a.Size, (end-off)&^3)
	}
}

func (s *scalarSpread) span(w *Wave) (at Span, ok bool) {
	if s.buffer {
		return at, false
	}
	addr := w.s64(s.base) + s.delta(w)
	return Span{Global, addr, addr, addr}, true
}

// intoWorkgroup is what a load into LDS writes: words for each lane, from m0 on.
type intoWorkgroup struct {
	offset uint64
	mask   uint32 // of M0
	size   uint64 // of what each lane writes
}

func (s *intoWorkgroup) lanes(w *Wave, a *Access) {
	a.Segment, a.Op, a.data = Workgroup, Writes, registers{}
	a.Lanes = w.Exec()
	a.Size = s.size
	base := uint64(w.S[M0]&s.mask) + s.offset
	for l := range a.At {
		a.At[l] = base + uint64(l)*s.size
	}
}
