package bind

import (
	"math"
	"math/bits"
	"strconv"
	"strings"
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Loads and stores through buffer resources that convert between registers and an element's components. The resource
// has the format, or the instruction (MTBUF). A format that is not executed ends the wave with a fault that names it.

// elementFormat is the layout of an element's components and the meaning of their bits.
type elementFormat struct {
	texelFormat
	number NumberFormat
}

// elementFormats by name, as "8_8_UNORM". A name begins with the highest bits.
var elementFormats = sync.OnceValue(func() map[string]*elementFormat {
	numbers := map[string]NumberFormat{
		"UNORM": NumberUnorm, "SNORM": NumberSnorm, "USCALED": NumberUscaled, "SSCALED": NumberSscaled,
		"UINT": NumberUint, "SINT": NumberSint, "FLOAT": NumberFloat,
	}
	all := map[string]*elementFormat{}
	for data := range uint8(128) {
		name := encoding.GFX10.BufferFormat(data, 0)
		if name == "" {
			continue
		}
		parts := strings.Split(name, "_")
		f := &elementFormat{number: numbers[parts[len(parts)-1]]}
		for n := len(parts) - 2; n >= 0; n-- {
			width, err := strconv.ParseUint(parts[n], 10, 8)
			if err != nil {
				panic("bind: buffer format " + name)
			}
			f.widths = append(f.widths, uint8(width))
		}
		all[name] = f
	}
	return all
})

// wide reports whether components are integers of more than 16 bits.
func (e *elementFormat) wide() bool { return e.number.whole() && e.widths[0] > 16 }

// half converts the bits of a component to a half, or to an integer of 16 bits.
func (n NumberFormat) half(v uint32, width uint) uint32 {
	signed := float64(int32(v<<(32-width)) >> (32 - width))
	switch n {
	case NumberUnorm:
		return uint32(alu.HalfFrom64(float64(v) / float64(uint32(1)<<width-1)))
	case NumberSnorm:
		return uint32(alu.HalfFrom64(max(signed/float64(int32(1)<<(width-1)-1), -1)))
	case NumberUscaled:
		return uint32(alu.HalfFrom64(float64(v)))
	case NumberSscaled:
		return uint32(alu.HalfFrom64(signed))
	case NumberFloat:
		if width == 32 {
			return uint32(alu.HalfFrom64(float64(math.Float32frombits(v))))
		}
		return uint32(halfBits(v, width))
	}
	return n.Value(v, width) & 0xffff
}

// oneHalf is One for components of 16 bits.
func (n NumberFormat) oneHalf() uint32 {
	if n.whole() {
		return 1
	}
	return 0x3c00
}

// bitsOf converts a register, or a half of one, to the bits of a component. Numbers that do not fit become the nearest
// ones that do; NaN becomes 0 where there is none.
func (n NumberFormat) bitsOf(v uint32, half bool, width uint) uint32 {
	most := uint32(1)<<width - 1
	switch {
	case n == NumberUint:
		return min(v, most)
	case n == NumberSint && half:
		v = uint32(int16(v))
		fallthrough
	case n == NumberSint:
		limit := int32(most >> 1)
		return uint32(min(max(int32(v), -limit-1), limit)) & most
	case n == NumberFloat && half && width == 16, n == NumberFloat && !half && width == 32:
		return v
	}
	x := float64(math.Float32frombits(v))
	if half {
		x = float64(alu.HalfTo32(uint16(v)))
	}
	switch n {
	case NumberFloat:
		if width == 32 {
			return math.Float32bits(float32(x))
		}
		return uint32(alu.HalfFrom64(x))
	case NumberUnorm:
		if !(x > 0) {
			return 0
		}
		return uint32(math.RoundToEven(min(x, 1) * float64(most)))
	}
	if x != x {
		return 0
	}
	return uint32(int32(math.RoundToEven(min(max(x, -1), 1)*float64(most>>1)))) & most
}

// formatted is an instruction that converts.
type formatted struct {
	*BufferSpace
	set   encoding.Set
	own   *elementFormat // the instruction's; nil: the resource has it
	count int            // components of the instruction
	half  bool           // they have 16 bits each, two in a register
	high  bool           // the only one is in the upper half
	clear bool           // a load to half of a register clears the other half
	data  wave.Registers
}

// bindFormatted returns nil for an instruction with a format that no buffer has.
func bindFormatted(i *encoding.Inst, count int, half, high bool, data *encoding.Operand) *formatted {
	if i.TFE || i.LDS {
		return nil
	}
	f := &formatted{
		BufferSpace: BindBuffer(i), set: i.Chip.Set(), count: count, half: half, high: high, clear: i.Clears, data: BindRegisters(data),
	}
	if i.Enc == encoding.MTBUF {
		if f.own = elementFormats()[f.set.BufferFormat(i.DFmt, i.NFmt)]; f.own == nil {
			return nil
		}
	}
	return f
}

// elements is the format of the elements; nil if they have none.
func (f *formatted) elements(w *wave.Wave) *elementFormat {
	if f.own != nil {
		return f.own
	}
	r := w.BufferResource(f.Resource, f.Layout)
	return elementFormats()[f.set.BufferFormat(r.Data, r.Number)]
}

// format is elements for an access, which fails without a format. A buffer without elements needs none: a resource of
// zeros is unbound (CDNA4 ISA, 9.1.8).
func (f *formatted) format(w *wave.Wave) (e *elementFormat, ok bool) {
	if e = f.elements(w); e != nil {
		return e, true
	}
	if r := w.BufferResource(f.Resource, f.Layout); r.Records != 0 {
		w.Fail("access by format to a buffer resource that has none", -1, r.Base)
	}
	return nil, false
}

// Size is the number of bytes that a lane accesses; 0: unknown.
func (f *formatted) Size(w *wave.Wave) uint64 {
	if e := f.elements(w); e != nil {
		return uint64(e.bytes())
	}
	return 0
}

// A FormatSpace is a buffer whose format decides how many bytes a lane accesses.
type FormatSpace interface {
	Size(w *wave.Wave) uint64
}

// BindFormat returns a function for the size of the accesses of an instruction that converts.
func BindFormat(i *encoding.Inst) FormatSpace {
	if f := bindFormatted(i, 0, false, false, &encoding.Operand{}); f != nil {
		return f
	}
	return nil
}

// element reads a lane's element.
func (f *formatted) element(w *wave.Wave, lane int, e *elementFormat, step uint64) (words [4]uint32, ok bool) {
	if step != 0 {
		return loadParts(w.Addr[lane], e.bytes(), step), true
	}
	for n := range uint64(e.bytes()) {
		addr := f.ByteAt(w, lane, w.Addr[lane]+n)
		if !w.Reach(addr, 1, false) {
			w.FailAccess(lane, addr, false)
			return words, false
		}
		words[n/4] |= memory.Load8(addr) << (n % 4 * 8)
	}
	return words, true
}

// setElement writes a lane's element.
func (f *formatted) setElement(w *wave.Wave, lane int, words *[4]uint32, e *elementFormat, step uint64) {
	addr, size := w.Addr[lane], uint64(e.bytes())
	switch {
	case step == 0:
		for n := range size {
			at := f.ByteAt(w, lane, addr+n)
			if !w.Reach(at, 1, true) {
				w.FailAccess(lane, at, true)
				return
			}
			memory.Store8(at, words[n/4]>>(n%4*8))
		}
	case size == 1:
		memory.Store8(addr, words[0])
	case size == 2:
		memory.Store16(addr, words[0])
	default:
		for n := range size / 4 {
			memory.Store32(addr+n*step, words[n])
		}
	}
}

// put writes a lane's components to registers.
func (f *formatted) put(w *wave.Wave, lane int, t *texel) {
	if !f.half {
		for n := range f.count {
			f.data.Of(w, n)[lane] = t[n]
		}
		return
	}
	for n := 0; n < f.count; n += 2 {
		to := &f.data.Of(w, n/2)[lane]
		switch {
		case n+1 < f.count:
			*to = t[n] | t[n+1]<<16
		case f.high:
			*to = width{high: true, clears: f.clear}.fill(*to, t[n])
		default:
			*to = width{d16: true, clears: f.clear}.fill(*to, t[n])
		}
	}
}

// get reads component n from registers.
func (f *formatted) get(w *wave.Wave, lane, n int) uint32 {
	if !f.half {
		return f.data.Of(w, n)[lane]
	}
	v := f.data.Of(w, n/2)[lane]
	if f.high || n&1 != 0 {
		return v >> 16
	}
	return v & 0xffff
}

// order returns the components that the instruction asks for: those that the resource selects or, if the instruction has
// its own format, those of the element, with zeros for the others.
func (f *formatted) order(w *wave.Wave, in *texel, e *elementFormat) (out texel) {
	if f.own != nil {
		return *in
	}
	one := e.number.One()
	if f.half {
		one = e.number.oneHalf()
	}
	for n, from := range w.BufferResource(f.Resource, f.Layout).Select {
		switch {
		case from >= 4:
			out[n] = in[from-4]
		case from == 1:
			out[n] = one
		}
	}
	return out
}

// FormatLoad binds buffer_load_format_x, tbuffer_load_format_x and their like, of count components: halves with half,
// the upper one of a register with high.
func FormatLoad(count int, half, high bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		f := bindFormatted(i, count, half, high, &i.Dst)
		if f == nil || half && f.own != nil && f.own.wide() {
			return nil
		}
		return func(w *wave.Wave) {
			m := w.Exec()
			if m == 0 {
				return
			}
			e, ok := f.format(w)
			if !ok {
				for k := m; k != 0 && w.Status != wave.Faulted; k &= k - 1 {
					f.put(w, bits.TrailingZeros64(k)&63, &texel{})
				}
				return
			}
			if half && e.wide() {
				w.Fail("load of integers of 32 bits as halves of registers, which is not executed", -1, 0)
				return
			}
			valid, step := f.Resolve(w, m, uint64(e.bytes()), false)
			for k := m; k != 0 && w.Status != wave.Faulted; k &= k - 1 {
				l := bits.TrailingZeros64(k) & 63
				var t texel
				if valid>>uint(l)&1 != 0 {
					words, there := f.element(w, l, e, step)
					if !there {
						return
					}
					e.each(words, func(n int, v uint32, width uint) {
						if half {
							t[n] = e.number.half(v, width)
						} else {
							t[n] = e.number.Value(v, width)
						}
					})
				}
				t = f.order(w, &t, e)
				f.put(w, l, &t)
			}
		}
	}
}

// unstorable returns the reason why a store of count components to elements is refused; "": it is executed.
func (e *elementFormat) unstorable(count int) string {
	switch {
	case e.number == NumberUscaled, e.number == NumberSscaled:
		return "floats to a buffer of scaled integers"
	case e.number == NumberFloat && e.widths[0] < 16:
		return "floats to a buffer of ones of 10 and 11 bits"
	case len(e.widths) > count:
		return "fewer components than the elements of the buffer have"
	}
	return ""
}

// inOrder reports whether a resource has the components of its elements where they are in memory.
func (f *formatted) inOrder(w *wave.Wave, e *elementFormat) bool {
	selects := w.BufferResource(f.Resource, f.Layout).Select
	for n := range e.widths {
		if f.own == nil && selects[n] != 4+uint8(n) {
			return false
		}
	}
	return true
}

// FormatStore is FormatLoad for stores.
func FormatStore(count int, half, high bool) encoding.Meaning {
	return func(i *encoding.Inst) encoding.Step {
		f := bindFormatted(i, count, half, high, &i.Src[0])
		if f == nil || f.own != nil && f.own.unstorable(count) != "" {
			return nil
		}
		return func(w *wave.Wave) {
			m := w.Exec()
			if m == 0 {
				return
			}
			e, ok := f.format(w)
			if !ok {
				return
			}
			why := e.unstorable(count)
			if why == "" && !f.inOrder(w, e) {
				why = "components in another order than the elements of the buffer have"
			}
			if why != "" {
				w.Fail("store of "+why+", which is not executed", -1, 0)
				return
			}
			valid, step := f.Resolve(w, m, uint64(e.bytes()), true)
			for k := valid; k != 0 && w.Status != wave.Faulted; k &= k - 1 {
				l := bits.TrailingZeros64(k) & 63
				var words [4]uint32
				at := uint(0)
				for n, width := range e.widths {
					words[at/32] |= e.number.bitsOf(f.get(w, l, n), half, uint(width)) << (at % 32)
					at += uint(width)
				}
				f.setElement(w, l, &words, e, step)
			}
		}
	}
}
