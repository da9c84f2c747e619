package bind

import (
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// wholeWave does the work of step for conversions in the usual MODE.
func (b *boundConversion) wholeWave(w *wave.Wave, in *[33]*alu.Lanes, scale, random *alu.Lanes, saturate bool) {
	if w.Conversion == nil {
		w.Conversion = new(alu.ConversionTemp)
	}
	temp := w.Conversion
	alu.ScalePowers(&temp.By, scale, b.top)
	words := 1
	for k := range b.count {
		at := uint(k) * b.to.Bits()
		to := &temp.Out[at/32]
		words = int(at/32) + 1
		number := &temp.Number
		if at%32 == 0 {
			number = to
		}
		if b.narrow {
			b.larger(number, temp, in, k)
		} else {
			b.smaller(number, temp, in, k, random, saturate)
		}
		if b.conversion.random && k+1 < b.count {
			alu.PrngB32(&temp.Random, random)
			random = &temp.Random
		}
		if at%32 != 0 {
			alu.LshlOrB32(to, number, &alu.Shifts[at%32], to)
		}
		if end := at%32 + b.to.Bits(); end > 32 {
			alu.LshrrevB32(&temp.Out[at/32+1], &alu.Shifts[b.to.Bits()-(end-32)], number)
			words++
		}
	}
	if b.mask != 0 {
		d, to := b.dst.Of(w, 0), &temp.Out[0]
		alu.AndB32(&temp.Number, d, &b.keep)
		if w.Full() {
			to = d
		}
		alu.LshlOrB32(to, &temp.Out[0], &alu.Shifts[b.at], &temp.Number)
		if to == d {
			return
		}
	}
	for r := range words {
		alu.Blend(b.dst.Of(w, r), &temp.Out[r], w.Exec())
	}
}

// larger makes number k of each lane one of the larger format.
func (b *boundConversion) larger(d *alu.Lanes, temp *alu.ConversionTemp, in *[33]*alu.Lanes, k int) {
	word, shift, _ := b.place(k)
	from := in[word]
	if shift+b.from.Bits() > 32 {
		alu.LshrrevB32(&temp.Single, &alu.Shifts[shift], from)
		alu.LshlOrB32(&temp.Single, in[word+1], &alu.Shifts[32-shift], &temp.Single)
		from, shift = &temp.Single, 0
	}
	alu.FromSmall(d, from, &temp.By, b.values, uint32(shift))
	switch b.to {
	case &alu.SmallF16:
		alu.CvtF16F32(d, d)
	case &alu.Bfloat16:
		alu.CvtPkBf16F32(d, d, &alu.Zeros)
	}
}

// smaller makes number k of each lane one of the smaller format.
func (b *boundConversion) smaller(d *alu.Lanes, temp *alu.ConversionTemp, in *[33]*alu.Lanes, k int, random *alu.Lanes, saturate bool) {
	x, code := b.single(temp, in, k), b.codes[alu.AsBit(saturate)]
	alu.MulF32(&temp.Number, x, &temp.By)
	if b.conversion.random {
		alu.AtRandom(d, &temp.Number, x, random, code)
	} else {
		alu.ToSmall(d, &temp.Number, x, code)
	}
}

// single returns singles of number k of each lane.
func (b *boundConversion) single(temp *alu.ConversionTemp, in *[33]*alu.Lanes, k int) *alu.Lanes {
	word, shift, operand := b.place(k)
	x, clear, flip := in[word], b.clear[operand], b.flip[operand]
	if shift != 0 && b.from != &alu.Bfloat16 {
		alu.LshrrevB32(&temp.Single, &alu.Shifts[shift], x)
		x = &temp.Single
	}
	if clear|flip != 0 {
		temp.Single = *x
		x = &temp.Single
		alu.AlterBits(x, clear, flip) // of both halves, or of the whole
	}
	switch b.from {
	case &alu.SmallF16:
		alu.CvtF32F16(&temp.Single, x)
	case &alu.Bfloat16:
		if shift == 0 {
			alu.LshlrevB32(&temp.Single, &alu.Sixteens, x)
		} else {
			alu.AndB32(&temp.Single, x, &alu.HighHalves)
		}
	default:
		return x
	}
	return &temp.Single
}
