package encoding

import "math/bits"

// smem prints the offset: immediate, register or both.
func (p *printer) smem() {
	p.smemOffset()
	p.flag(p.inst.GLC, "glc")
}

func (p *printer) smemOffset() {
	i, f := p.inst, p.form
	if !f.Has(HasOffset) {
		return
	}
	p.next()
	imm := i.Extra&smemHasImm != 0
	if p.set != GFX9 && p.set < GFX12 && i.Imm == 0 && !i.OffEn {
		p.text("null")
		return
	}
	if i.OffEn {
		for n := range f.Src {
			if f.Src[n].Place == AtSoffset {
				p.operand(&i.Src[n], &f.Src[n])
			}
		}
		if imm {
			p.text(" offset:")
		}
	}
	if imm {
		p.signedHex(int64(i.Imm))
	}
}

func (p *printer) signedHex(n int64) {
	if n < 0 {
		p.text("-")
		n = -n
	}
	p.hex(uint64(n))
}

// labelled prints a number after a word, unless it is zero.
func (p *printer) labelled(word string, n int64) {
	if n != 0 {
		p.flag(true, word)
		p.text(":")
		p.number(n)
	}
}

func (p *printer) ds() {
	i, f := p.inst, p.form
	switch {
	case f.Has(TwoOffsets):
		p.labelled("offset0", int64(i.Imm&0xff))
		p.labelled("offset1", int64(i.Imm>>8&0xff))
	case f.Has(Swizzle):
		p.swizzle(uint32(i.Imm) & 0xffff)
	case f.Has(HasOffset):
		p.labelled("offset", int64(i.Imm))
	}
	p.flag(i.GDS, "gds")
}

// Lane patterns of ds_swizzle.
const (
	swizzleQuad      = 0x8000
	swizzleRotate    = 0xc000
	swizzleFFT       = 0xe000
	swizzleAllLanes  = 0x1f
	swizzleMaxBroad  = 32
	swizzleQuadField = 0xff00
)

// swizzle prints a lane pattern under the name that says most about it.
func (p *printer) swizzle(v uint32) {
	if v == 0 {
		return
	}
	p.text(" offset:")
	and, or, xor := v&31, v>>5&31, v>>10&31
	group := swizzleMaxBroad - and
	switch {
	case v >= swizzleFFT:
		p.pattern("FFT", v&31)
	case v >= swizzleRotate:
		p.pattern("ROTATE", v>>10&1, v>>5&31)
	case v&swizzleQuadField == swizzleQuad:
		p.pattern("QUAD_PERM", v&3, v>>2&3, v>>4&3, v>>6&3)
	case v&swizzleQuad != 0:
		p.number(int64(v))
	case and == swizzleAllLanes && or == 0 && bits.OnesCount32(xor) == 1:
		p.pattern("SWAP", xor)
	case and == swizzleAllLanes && or == 0 && xor > 0 && xor&(xor+1) == 0:
		p.pattern("REVERSE", xor+1)
	case group > 1 && group&(group-1) == 0 && or < group && xor == 0:
		p.pattern("BROADCAST", group, or)
	default:
		p.bitmask(and, or, xor)
	}
}

func (p *printer) pattern(name string, values ...uint32) {
	p.text("swizzle(")
	p.text(name)
	for _, v := range values {
		p.text(",")
		p.number(int64(v))
	}
	p.text(")")
}

// bitmask prints the effect on each bit of the lane number: 0, 1, preserved or inverted.
func (p *printer) bitmask(and, or, xor uint32) {
	p.text(`swizzle(BITMASK_PERM,"`)
	of0, of1 := or^xor, (and|or)^xor
	for n := 4; n >= 0; n-- {
		p.b = append(p.b, "0pi1"[of0>>n&1<<1|of1>>n&1])
	}
	p.text(`")`)
}

func (p *printer) flat() {
	i := p.inst
	p.labelled("offset", int64(i.Imm))
	p.cachePolicy()
	p.flag(i.LDS, "lds")
}

// cachePolicy prints the bits that say how caches are used.
func (p *printer) cachePolicy() {
	i := p.inst
	names := [3]string{"glc", "slc", "scc"}
	if i.Chip.AtLeast(Gfx942) {
		names = [3]string{"sc0", "nt", "sc1"}
	}
	p.flag(i.GLC, names[0])
	p.flag(i.SLC, names[1])
	p.flag(i.SC1, names[2])
}

func (p *printer) buffer() {
	i := p.inst
	if p.form.Src[0].Class == NoSlot {
		p.cachePolicy()
		return
	}
	if i.Enc == MTBUF {
		p.format()
	}
	p.flag(i.IdxEn, "idxen")
	p.flag(i.OffEn, "offen")
	p.labelled("offset", int64(i.Imm))
	from := p.form.Has(FromLDS)
	p.flag(from, "lds")
	p.cachePolicy()
	p.flag(i.TFE, "tfe")
	p.flag(i.LDS && !from, "lds")
}

var dataFormats = [16]string{
	"INVALID", "8", "16", "8_8", "32", "16_16", "10_11_11", "11_11_10",
	"10_10_10_2", "2_10_10_10", "8_8_8_8", "32_32", "16_16_16_16", "32_32_32", "32_32_32_32", "RESERVED_15",
}

var numberFormats = [8]string{"UNORM", "SNORM", "USCALED", "SSCALED", "UINT", "SINT", "RESERVED_6", "FLOAT"}

// format prints the data and number format where they are not 8-bit UNORM.
func (p *printer) format() {
	i := p.inst
	data, number := i.DFmt != 1, i.NFmt != 0
	if !data && !number {
		return
	}
	p.text(" format:[")
	if data {
		p.text("BUF_DATA_FORMAT_")
		p.text(dataFormats[i.DFmt&15])
	}
	if data && number {
		p.text(",")
	}
	if number {
		p.text("BUF_NUM_FORMAT_")
		p.text(numberFormats[i.NFmt&7])
	}
	p.text("]")
}

func (p *printer) image() {
	i := p.inst
	if i.DMask != 0 {
		p.text(" dmask:")
		p.hex(uint64(i.DMask))
	}
	p.flag(i.Extra&ImageUnorm != 0, "unorm")
	p.cachePolicy()
	p.flag(i.Extra&ImageA16 != 0, "a16")
	p.flag(i.TFE, "tfe")
	p.flag(i.Extra&ImageLWE != 0, "lwe")
	p.flag(i.Extra&imageDA != 0, "da")
	p.flag(i.Extra&ImageD16 != 0, "d16")
}

// exportOperands prints the target and the four sources.
func (p *printer) exportOperands() {
	i := p.inst
	p.next()
	p.target(i.Extra & 0x3f)
	p.started = false
	for n := range i.Src {
		p.next()
		if i.Src[n].Kind == NoOperand {
			p.text("off")
			continue
		}
		p.operand(&i.Src[n], &p.form.Src[n])
	}
}

func (p *printer) target(n uint32) {
	for _, t := range []struct {
		name        string
		first, last uint32
	}{{"mrt", 0, 7}, {"pos", 12, 15}, {"param", 32, 63}} {
		if n >= t.first && n <= t.last {
			p.text(t.name)
			p.number(int64(n - t.first))
			return
		}
	}
	switch n {
	case 8:
		p.text("mrtz")
	case 9:
		p.text("null")
	default:
		p.text("invalid_target_")
		p.number(int64(n))
	}
}

func (p *printer) export() {
	x := p.inst.Extra
	p.flag(x&expDone != 0, "done")
	p.flag(x&expCompr != 0, "compr")
	p.flag(x&expVM != 0, "vm")
}
