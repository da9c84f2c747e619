package encoding

import "math/bits"

// ds decodes LDS and GDS instructions. Fields of absent operands must be zero.
func (d *decoder) ds() {
	i, f := d.inst, d.form
	if i.Chip.Set() >= GFX12 {
		d.reserve(d.lo >> 17 & 1)
	}
	i.GDS = bit(d.lo, uint(d.set.gds)) && (!i.Chip.AtLeast(Gfx90a) || f.Has(GDSOnly))
	if bit(d.lo, uint(d.set.gds)) && f.Has(NoGDS) || !i.GDS && f.Has(GDSOnly) {
		d.fail("gds bit: %v", i.GDS)
	}
	i.Imm = int32(d.lo & 0xffff)
	if f.Flags&(HasOffset|TwoOffsets) == 0 {
		d.reserve(d.lo & 0xffff)
	}
	d.places()
	used := uint32(0)
	mark := func(s *Slot) {
		switch s.Place {
		case AtAddr:
			used |= 0xff
		case AtData0:
			used |= 0xff00
		case AtData1:
			used |= 0xff0000
		case AtVdst:
			used |= 0xff000000
		}
	}
	mark(&f.Dst)
	for n := range f.Src {
		mark(&f.Src[n])
	}
	d.reserve(d.hi &^ used)
	if d.set == &Sets[GFX9] {
		d.accumulators(bit(d.lo, 25))
	}
}

// addressed takes the sources of a flat, global or scratch instruction: off says that no scalar register has an
// address, and vector that a vector register has one.
func (d *decoder) addressed(off, vector bool) {
	i := d.inst
	for n := range d.form.Src {
		s := &d.form.Src[n]
		switch {
		case s.Class == NoSlot, s.Place == AtSaddr && off:
		case s.Place != AtAddr:
			i.Src[n] = d.place(s)
		case (i.Seg == SegGlobal || i.Seg == SegFlat && d.set.wide) && !off:
			i.Src[n] = vreg(d.hi, 1)
		case vector:
			i.Src[n] = d.place(s)
		}
	}
}

// flat decodes flat, global and scratch instructions.
func (d *decoder) flat() {
	i, f := d.inst, d.form
	i.Seg = uint8(d.lo >> 14 & 3)
	i.GLC, i.SLC, i.LDS = bit(d.lo, 16), bit(d.lo, 17), bit(d.lo, 13)
	vector := i.Seg != SegScratch || d.hi>>16&0x7f == 0x7f
	if i.Seg == SegScratch && i.Chip.AtLeast(Gfx942) {
		vector, i.LDS = i.LDS, false
	}
	if i.LDS && (!f.Has(HasLDS) || i.Chip.AtLeast(Gfx942)) {
		d.reserve(1)
	}
	i.Imm = int32(d.lo & 0x1fff)
	if i.Seg != SegFlat {
		i.Imm = int32(d.lo<<19) >> 19
	}
	d.sc1(d.lo, 25)
	if f.Dst.Class != NoSlot && !i.LDS && (i.GLC || !f.Has(Atomic)) {
		i.Dst = d.place(&f.Dst)
	}
	saddr := d.hi >> 16 & 0x7f
	off := saddr == 0x7f
	if i.Seg == SegFlat {
		d.reserve(saddr)
	}
	d.addressed(off, vector)
	d.accumulators(bit(d.hi, 23))
}

// sc1 takes a bit of the cache policy that gfx90a has added.
func (d *decoder) sc1(word uint32, n uint) {
	i, set, float := d.inst, bit(word, n), d.form.Has(FloatAtomic)
	i.SC1 = set && i.Chip.AtLeast(Gfx90a)
	switch {
	case !float:
	case i.Chip == Gfx908 && (i.GLC || set && i.Enc == FLAT), i.Chip == Gfx90a && set:
		d.reserve(1)
	}
}

// accumulators puts the data of a memory instruction, but not its addresses,
// into the accumulator file where a bit says so, from gfx90a on.
func (d *decoder) accumulators(acc bool) {
	i, f := d.inst, d.form
	if !acc {
		return
	}
	data := i.Dst.Kind != NoOperand
	if !i.Chip.AtLeast(Gfx90a) {
		d.reserve(1)
	}
	i.Dst = d.file(i.Dst, true)
	for n := range f.Src {
		if p := f.Src[n].Place; p == AtData0 || p == AtData1 || p == AtAddr && f.Has(GDSOnly) {
			i.Src[n], data = d.file(i.Src[n], true), true
		}
	}
	if !data || d.noReturnToAccumulator() {
		d.reserve(1)
	}
}

// noReturnToAccumulator tells the atomics on floats that LLVM does not let
// gfx942 return to accumulators, though their neighbours may.
func (d *decoder) noReturnToAccumulator() bool {
	i := d.inst
	if i.Enc != FLAT || !i.Chip.AtLeast(Gfx942) || !i.GLC || !d.form.Has(FloatAtomic) || i.Row.Chips == FromGfx942 {
		return false
	}
	return d.form.Dst.Width == 1 || i.SC1
}

// buffer decodes MUBUF and MTBUF.
func (d *decoder) buffer() {
	i, f := d.inst, d.form
	if f.Src[0].Class == NoSlot {
		d.cachePolicy()
		return
	}
	i.Imm = int32(d.lo & 0xfff)
	i.OffEn, i.IdxEn, i.GLC = bit(d.lo, 12), bit(d.lo, 13), bit(d.lo, 14)
	acc := i.Chip.AtLeast(Gfx90a) && bit(d.hi, 23)
	i.TFE = bit(d.hi, 23) && !acc
	if i.Enc == MUBUF {
		d.sc1(d.lo, 15)
		i.LDS, i.SLC = bit(d.lo, 16), bit(d.lo, 17)
	} else {
		i.SLC = bit(d.hi, 22)
		d.sc1(d.hi, 21)
		i.DFmt, i.NFmt = uint8(d.lo>>19&15), uint8(d.lo>>23&7)
	}
	if f.Has(FromLDS) {
		d.reserve(d.lo&(3<<12) | d.hi&(1<<23) | d.lo>>16&1 ^ 1)
	} else if i.LDS && (!d.loadsToLDS() || i.TFE) || i.TFE && !f.Has(HasTFE) {
		d.reserve(1)
	}
	d.places()
	d.bufferWidths()
	d.accumulators(acc)
}

// bufferWidths makes the operands of a buffer instruction as wide as its flags say.
func (d *decoder) bufferWidths() {
	i, f := d.inst, d.form
	for n := range f.Src {
		switch f.Src[n].Place {
		case AtAddr:
			switch {
			case i.OffEn && i.IdxEn:
				i.Src[n].Width = 2
			case !i.OffEn && !i.IdxEn:
				i.Src[n] = Operand{}
			}
		case AtData0:
			if i.TFE {
				i.Src[n].Width++
			}
		}
	}
	switch {
	case f.Dst.Class == NoSlot:
	case i.LDS, f.Has(Atomic) && !i.GLC:
		i.Dst = Operand{}
	case i.TFE:
		i.Dst.Width++
	}
}

// loadsToLDS reports whether a buffer load may have its lds bit set.
func (d *decoder) loadsToLDS() bool {
	return d.form.Has(HasLDS) || d.form.Has(HasWideLDS) && d.inst.Chip.AtLeast(Gfx950)
}

// cachePolicy decodes the instructions that write back and invalidate caches.
func (d *decoder) cachePolicy() {
	i := d.inst
	d.reserve(d.lo&(3<<12|1<<16) | d.hi&(1<<23))
	if !d.form.Has(CachePolicy) {
		d.reserve(d.lo & (3 << 14))
		return
	}
	if i.Chip.AtLeast(Gfx942) {
		i.GLC, i.SC1 = bit(d.lo, 14), bit(d.lo, 15)
	}
}

// Bits of Inst.Extra in MIMG.
const (
	ImageUnorm = 1 << iota
	imageDA
	ImageA16
	ImageLWE
	ImageD16
)

// image decodes MIMG. How many results there are depends on dmask and flags.
func (d *decoder) image() {
	i, f := d.inst, d.form
	i.DMask = uint8(d.lo >> 8 & 15)
	i.GLC, i.SLC = bit(d.lo, 13), bit(d.lo, 25)
	d.sc1(d.lo, 7)
	acc := i.Chip.AtLeast(Gfx90a) && bit(d.lo, 16)
	i.TFE = bit(d.lo, 16) && !acc
	for _, b := range []struct {
		word  uint32
		shift uint
		flag  uint32
	}{{d.lo, 12, ImageUnorm}, {d.lo, 14, imageDA}, {d.lo, 15, ImageA16}, {d.lo, 17, ImageLWE}, {d.hi, 31, ImageD16}} {
		if bit(b.word, b.shift) {
			i.Extra |= b.flag
		}
	}
	if i.Extra&ImageD16 != 0 && !f.Has(HasD16) {
		d.reserve(1)
	}
	d.places()
	if f.Src[2].Place != AtSsamp {
		d.reserve(d.hi >> 21 & 0x1f)
	}
	width := d.imageWidth()
	if f.Dst.Class != NoSlot {
		i.Dst.Width = width
		if f.Has(Atomic) && !i.GLC {
			i.Dst = Operand{}
		}
	}
	if f.Src[0].Place == AtData0 {
		i.Src[0].Width = width
	}
	d.accumulators(acc)
}

// imageWidth returns how many registers of data an image instruction has. Where
// that many make no sense it is what the form says.
func (d *decoder) imageWidth() uint8 {
	i, f := d.inst, d.form
	width := uint8(max(bits.OnesCount8(i.DMask), 1))
	d16 := i.Extra&ImageD16 != 0
	usual := f.Dst.Width
	switch {
	case f.Has(Gather) && d16:
		return 2
	case f.Has(Gather):
		width, usual = 4, 2
	case d16:
		width = (width + 1) / 2
	}
	if i.TFE {
		width++
	}
	if f.Has(Atomic) {
		usual = f.Src[0].Width
		if width < usual || width > 2*usual+1 {
			return usual
		}
	}
	if usual == 0 {
		usual = 1
	}
	if first := d.hi >> 8 & 0xff; first+uint32(width) > 256 || i.Chip.AtLeast(Gfx90a) && width > 1 && first&1 != 0 {
		return usual
	}
	return width
}

// Bits of Inst.Extra in EXP; the target is below.
const (
	expCompr = 1 << 6
	expDone  = 1 << 7
	expVM    = 1 << 8
)

// export decodes EXP. Sources that are not enabled are absent.
func (d *decoder) export() {
	i := d.inst
	i.DMask = uint8(d.lo & 15)
	i.Extra = d.lo >> 4 & 0x1ff
	for n := range i.Src {
		if i.DMask>>n&1 == 0 {
			continue
		}
		from := n
		if i.Extra&expCompr != 0 {
			from = n / 2
		}
		i.Src[n] = vreg(d.hi>>(8*from), 1)
	}
}
