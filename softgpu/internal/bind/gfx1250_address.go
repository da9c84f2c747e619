package bind

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// In GFX12.5 a vector register beside an address in scalar registers has a signed offset, and offsets of vector and of
// scalar registers may be scaled by the size of the access. LLVM's isel tells both (hasSignedGVSOffset, ScaleOffset).

// AddressRegisters is the number of registers of the accumulators' file, which the chips do not have, that hold such
// addresses.
const AddressRegisters = 2

// Addressed returns an instruction that accesses the same memory by an address that prepare computes; without prepare,
// i's own address serves. ok is false where it is not known what an offset is scaled by.
func Addressed(i *encoding.Inst) (c encoding.Inst, prepare encoding.Step, ok bool) {
	c = *i
	if i.Chip.Set() != encoding.GFX1250 || i.Enc != encoding.FLAT && !i.ScaleOffset {
		return c, nil, true
	}
	scale := uint64(1)
	if i.ScaleOffset {
		if scale = accessSize(i.Row.Name); scale == 0 {
			return c, nil, false
		}
	}
	switch i.Enc {
	case encoding.FLAT:
		return addressedVector(c, scale)
	case encoding.SMEM:
		return addressedScalar(c, scale)
	}
	return c, nil, false
}

// addressedVector is Addressed for flat, global and scratch instructions.
func addressedVector(c encoding.Inst, scale uint64) (encoding.Inst, encoding.Step, bool) {
	vector, scalar := -1, -1
	for n := range c.Src {
		switch place := c.Row.Form.Src[n].Place; {
		case place == encoding.AtAddr && c.Src[n].Kind == encoding.VReg:
			vector = n
		case place == encoding.AtSaddr && c.Src[n].Kind == encoding.SReg:
			scalar = n
		}
	}
	private, flat := c.Seg == encoding.SegScratch, c.Seg == encoding.SegFlat
	switch {
	case vector < 0 && !c.ScaleOffset, !c.ScaleOffset && !flat && (private || scalar < 0):
		return c, nil, true
	case vector < 0, c.ScaleOffset && scalar < 0 && !private:
		return c, nil, false // there is no offset to be scaled
	}
	c.AsPart, c.ScaleOffset = nil, false
	from := BindRegisters(&c.Src[vector])
	c.Src[vector] = encoding.Operand{Kind: encoding.AReg, Width: 2}
	if private {
		c.Src[vector].Width = 1
		return c, func(w *wave.Wave) {
			to := &w.A[0]
			for l, x := range from.Of(w, 0) {
				to[l] = x * uint32(scale)
			}
		}, true
	}
	base, size := -1, accessSize(c.Row.Name)
	if scalar >= 0 {
		base = int(c.Src[scalar].Reg)
		c.Src[scalar] = encoding.Operand{}
	}
	return c, func(w *wave.Wave) {
		lo, hi := &w.A[0], &w.A[1]
		if base >= 0 {
			at := w.S64(base)
			for l, x := range from.Of(w, 0)[:32] {
				a := at + uint64(int64(int32(x)))*scale
				lo[l], hi[l] = uint32(a), uint32(a>>32)
			}
		} else {
			*lo, *hi = *from.Of(w, 0), *from.Of(w, 1)
		}
		for m := w.Exec(); flat && m != 0; m &= m - 1 {
			l := bits.TrailingZeros64(m) & 31
			a := w.FlatPrivate(alu.Join(lo[l], hi[l]), size, l)
			lo[l], hi[l] = uint32(a), uint32(a>>32)
		}
	}, true
}

// addressedScalar is Addressed for scalar memory instructions. The product has 64 bits, as in LLVM's patterns.
func addressedScalar(c encoding.Inst, scale uint64) (encoding.Inst, encoding.Step, bool) {
	if !c.OffEn || c.Src[0].Width != 2 || c.Src[1].Kind != encoding.SReg {
		return c, nil, false
	}
	base, from := int(c.Src[0].Reg), c.Src[1].Reg&wave.AllScalars
	c.ScaleOffset, c.OffEn = false, false
	c.Src[0].Reg, c.Src[1] = wave.ScaledAddress, encoding.Operand{}
	return c, func(w *wave.Wave) { w.SetS64(wave.ScaledAddress, w.S64(base)+uint64(w.S[from])*scale) }, true
}

// accessSize returns the bytes that an instruction accesses in each lane, by the end of its name.
func accessSize(name string) uint64 {
	last := name[strings.LastIndexByte(name, '_')+1:]
	bits, err := strconv.Atoi(strings.TrimLeft(last, "abcdefghijklmnopqrstuvwxyz"))
	switch {
	case err != nil:
		return 0
	case strings.Contains(name, "_pk_"):
		return 4
	}
	return uint64(bits) / 8
}
