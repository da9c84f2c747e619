package rows

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// formatWords encodes an instruction on v[20:23], with offsets in v4, the resource in s[8:11] and offset 0.
func formatWords(t *testing.T, chip encoding.Chip, kin string, data, number uint32) []uint32 {
	t.Helper()
	typed := uint32(0)
	enc := encoding.MUBUF
	if strings.HasPrefix(kin, "t") {
		typed, enc = 1, encoding.MTBUF
	}
	at := slices.IndexFunc(tableOf(chip)[enc], func(r *encoding.Row) bool { return r != nil && r.Kin() == kin })
	require.GreaterOrEqual(t, at, 0, "%v: %s", chip, kin)
	op, hi := uint32(at), uint32(4|20<<8|2<<16|128<<24)
	lo := (0x38 | typed<<1) << 26
	switch chip.Set() {
	case encoding.GFX12:
		return []uint32{0x31<<26 | typed<<21 | op<<14 | 124, 20 | 8<<9 | data<<23*typed | 1<<30, 4}
	case encoding.GFX11:
		hi |= 1 << 22
		if typed == 0 {
			return []uint32{lo | op<<18, hi}
		}
		return []uint32{lo | op<<15 | data<<19, hi}
	case encoding.GFX10:
		if typed == 0 {
			return []uint32{lo | op<<18 | 1<<12, hi}
		}
		return []uint32{lo | op&7<<16 | data<<19 | 1<<12, hi | op>>3<<21}
	}
	if typed == 0 {
		return []uint32{lo | op<<18 | 1<<12, hi}
	}
	return []uint32{lo | op<<15 | data<<19 | number<<23 | 1<<12, hi}
}

// formatCase is one instruction with one format, in a wave with memory.
type formatCase struct {
	chip         encoding.Chip
	kin, name    string // of the instruction and the format
	widths       []uint
	number       string
	data, num    uint32
	count        int
	half, typed  bool
	swizzled     bool
	select4      [4]uint32
	w            *wave.Wave
	b            []byte
	step         encoding.Step
	lanes, bytes int // of the wave, of an element
	records      int
	skew         int // a swizzled element's distance from a word
}

// eachFormat calls f for all instructions of a kind with all formats that the chip has.
func eachFormat(t *testing.T, what string, r *rand.Rand, f func(c *formatCase)) {
	counts := []string{"x", "xy", "xyz", "xyzw"}
	done := 0
	for _, chip := range []encoding.Chip{encoding.Gfx906, encoding.Gfx942, encoding.Gfx1030, encoding.Gfx1100.Wave32(), encoding.Gfx1201.Wave32()} {
		numbers := uint8(1)
		if chip.Set() == encoding.GFX9 {
			numbers = 8
		}
		for code := range 128 * int(numbers) {
			data, number := uint8(code)/numbers, uint8(code)%numbers
			if numbers == 8 {
				data, number = uint8(code/8), uint8(code%8)
			}
			name := chip.Set().BufferFormat(data, number)
			if name == "" || numbers == 8 && data > 15 {
				continue
			}
			cut := strings.LastIndexByte(name, '_')
			for variant := range 16 {
				c := &formatCase{
					chip: chip, name: name, number: name[cut+1:], widths: refWidths[name[:cut]], data: uint32(data), num: uint32(number),
					count: variant&3 + 1, half: variant&4 != 0, typed: variant&8 != 0, swizzled: r.IntN(4) == 0, lanes: 64, select4: [4]uint32{4, 5, 6, 7},
				}
				require.NotEmpty(t, c.widths, name)
				d16 := ""
				if c.half {
					d16 = "d16_"
				}
				c.kin = fmt.Sprintf("buffer_%s_format_%s%s", what, d16, counts[variant&3])
				if c.typed {
					c.kin = "t" + c.kin
				}
				c.prepare(t, r)
				f(c)
				done++
			}
		}
	}
	require.Greater(t, done, 2000)
}

// prepare makes the wave: lane l's element is the lth.
func (c *formatCase) prepare(t *testing.T, r *rand.Rand) {
	if c.chip.IsWave32() {
		c.lanes = 32
	}
	for _, width := range c.widths {
		c.bytes += int(width) / 8
	}
	if c.widths[0] < 8 || c.widths[0]%8 != 0 {
		c.bytes = 4
	}
	mem := &samples.Memory{}
	b, base := mem.Add(4096, true)
	for n := range b {
		b[n] = byte(r.Uint32())
	}
	c.b = b
	w := newWave()
	w.SetSize(c.chip.IsWave32())
	w.Mem = mem
	c.w = w
	c.records = (c.lanes - 3) * c.bytes // the last lanes are out of range
	word1, word3 := uint32(base>>32), uint32(0)
	for n := range c.select4 {
		if c.typed {
			break
		}
		word3 |= c.select4[n] << (3 * n)
	}
	switch c.chip.Set() {
	case encoding.GFX9:
		word3 |= c.num<<12 | c.data<<15
	case encoding.GFX10:
		word3 |= c.data<<12 | 3<<28
	default:
		word3 |= c.data<<12 | 3<<28
	}
	if c.typed { // the resource's own format does not count
		word3 &^= 0x7f << 12
		word3 |= 1 << 12
	}
	if c.swizzled { // one row of 8 elements of 16 bytes, so that words are 32 bytes apart
		c.records = c.lanes - 3
		word1 |= 16<<16 | 1<<31
		if c.chip.Set() >= encoding.GFX11 {
			word1 ^= 3 << 30
		}
	}
	w.S[8], w.S[9], w.S[10], w.S[11] = uint32(base), word1, uint32(c.records), word3
	for l := range w.V[4] {
		w.V[4][l] = uint32(l * c.bytes)
	}
	if c.swizzled && c.bytes <= 12 {
		c.skew = r.IntN(4)
	}
	if c.swizzled { // all lanes read the element of index 0
		for l := range w.V[4] {
			w.V[4][l] = uint32(c.skew)
			if l >= c.lanes-3 {
				w.V[4][l] = 17
			}
		}
		if c.chip.Set() == encoding.GFX9 {
			w.S[10] = 16 // bytes, without an index
		}
	}
	for n := 20; n < 24; n++ {
		for l := range w.V[n] {
			w.V[n][l] = r.Uint32()
		}
	}
	code := formatWords(t, c.chip, c.kin, c.data, c.num)
	i, err := Decode(words(code...), 0, c.chip)
	require.NoError(t, err)
	require.Equal(t, c.kin, i.Row.Kin())
	if c.step = i.Row.Do(&i); c.step == nil {
		require.True(t, c.typed, "%v: %s", c.chip, i.String())
	}
}

// at is where byte n of a lane's element is.
func (c *formatCase) at(lane, n int) int {
	if c.swizzled {
		return (n+c.skew)/4*32 + (n+c.skew)%4
	}
	return lane*c.bytes + n
}

// element takes the components out of memory.
func (c *formatCase) element(lane int) (parts []uint32) {
	all := new(big.Int)
	for n := c.bytes - 1; n >= 0; n-- {
		all.Or(all.Lsh(all, 8), big.NewInt(int64(c.b[c.at(lane, n)])))
	}
	for _, width := range c.widths {
		parts = append(parts, uint32(new(big.Int).And(all, big.NewInt(1<<width-1)).Uint64()))
		all.Rsh(all, width)
	}
	return parts
}

func (c *formatCase) String() string {
	return fmt.Sprintf("%v: %s of %s, swizzled %v", c.chip, c.kin, c.name, c.swizzled)
}

func TestLoadsByFormatAgreeWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared := 0
	eachFormat(t, "load", r, func(c *formatCase) {
		if !c.typed {
			word := &c.w.S[11]
			for n := range c.select4 {
				c.select4[n] = []uint32{0, 1, 4, 5, 6, 7}[r.IntN(6)]
				*word = *word&^(7<<(3*n)) | c.select4[n]<<(3*n)
			}
		}
		before := [4][64]uint32{}
		for n := range before {
			before[n] = c.w.V[20+n]
		}
		exec := r.Uint64()&(1<<c.lanes-1) | 1<<(c.lanes-1)
		c.w.SetExec(exec)
		if whole := c.number == "UINT" || c.number == "SINT"; c.typed && c.half && whole && c.widths[0] == 32 {
			require.Nil(t, c.step, "%v", c)
			return
		}
		require.NotNil(t, c.step, "%v", c)
		c.step(c.w)
		whole := c.number == "UINT" || c.number == "SINT"
		if c.half && whole && c.widths[0] == 32 {
			require.Equal(t, wave.Faulted, c.w.Status, "%v", c)
			require.Contains(t, c.w.Fault.Reason, "integers of 32 bits", "%v", c)
			return
		}
		require.Equal(t, wave.Running, c.w.Status, "%v: %+v", c, c.w.Fault)
		one := map[bool]uint32{true: 0x3c00, false: 0x3f800000}[c.half]
		if whole {
			one = 1
		}
		for l := range c.lanes {
			var want, known [4]uint32 // in components; known: bits that the reference knows
			in := make([]uint32, 4)
			ok := []bool{true, true, true, true}
			if l < c.lanes-3 {
				for n, v := range c.element(l) {
					in[n], ok[n] = refLoad(c.number, v, c.widths[n], c.half)
				}
			}
			for n := range want {
				known[n] = math.MaxUint32
				switch {
				case c.typed, c.select4[n] >= 4:
					from := n
					if !c.typed {
						from = int(c.select4[n]) - 4
					}
					if want[n] = in[from]; !ok[from] {
						known[n] = 0
					}
				case c.select4[n] == 1:
					want[n] = one
				}
			}
			for n := range c.count {
				reg, was := n, before[n][l]
				shift, mask := 0, uint32(math.MaxUint32)
				if c.half {
					reg, shift, mask = n/2, n%2*16, 0xffff
					was = before[reg][l] >> shift & mask
				}
				got := c.w.V[20+reg][l] >> shift & mask
				if exec>>l&1 == 0 {
					require.Equal(t, was, got, "%v: lane %d, which is not active", c, l)
					continue
				}
				if want[n]&known[n]&mask == got&known[n]&mask {
					compared++
					continue
				}
				require.Equal(t, want[n]&known[n]&mask, got&known[n]&mask, "%v: lane %d, component %d, select %v, in %x", c, l, n, c.select4, in)
			}
			if c.half && c.count&1 != 0 && exec>>l&1 != 0 { // the half that is not loaded
				was := before[c.count/2][l] >> 16
				if c.chip.ClearsHalves() {
					was = 0
				}
				require.Equal(t, was, c.w.V[20+c.count/2][l]>>16, "%v", c)
			}
		}
	})
	require.Greater(t, compared, 100_000)
}

func TestStoresByFormatAgreeWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	compared, refused := 0, 0
	eachFormat(t, "store", r, func(c *formatCase) {
		for n := 20; n < 24; n++ {
			for l := range c.w.V[n] {
				v := math.Float32bits(float32(r.NormFloat64()))
				if c.half {
					v = r.Uint32()
				}
				if c.number == "UINT" || c.number == "SINT" || r.IntN(4) == 0 {
					v = r.Uint32() >> r.IntN(32)
				}
				c.w.V[n][l] = v
			}
		}
		before := slices.Clone(c.b)
		exec := r.Uint64() & (1<<c.lanes - 1)
		if c.swizzled {
			exec = 1 // all lanes have one element
		}
		c.w.SetExec(exec)
		why := ""
		switch {
		case strings.HasSuffix(c.number, "SCALED"):
			why = "scaled integers"
		case c.number == "FLOAT" && c.widths[0] < 16:
			why = "10 and 11 bits"
		case len(c.widths) > c.count:
			why = "fewer components"
		}
		if why != "" && c.typed {
			require.Nil(t, c.step, "%v", c)
			return
		}
		require.NotNil(t, c.step, "%v", c)
		c.step(c.w)
		if why != "" {
			refused++
			if exec != 0 {
				require.Equal(t, wave.Faulted, c.w.Status, "%v", c)
				require.Contains(t, c.w.Fault.Reason, why, "%v", c)
			}
			require.Equal(t, before, c.b)
			return
		}
		require.Equal(t, wave.Running, c.w.Status, "%v: %+v", c, c.w.Fault)
		for l := range c.lanes {
			if c.swizzled && l != 0 {
				break
			}
			got := c.element(l)
			if exec>>l&1 == 0 || l >= c.lanes-3 {
				for n := range c.bytes {
					require.Equal(t, before[c.at(l, n)], c.b[c.at(l, n)], "%v: lane %d", c, l)
				}
				continue
			}
			for n, width := range c.widths {
				v := c.w.V[20+n][l]
				if c.half {
					v = c.w.V[20+n/2][l] >> (n % 2 * 16) & 0xffff
				}
				if want, ok := refStore(c.number, v, width, c.half); ok {
					require.Equal(t, want, got[n], "%v: lane %d, component %d of %#x", c, l, n, v)
					compared++
				}
			}
		}
	})
	require.Greater(t, compared, 20_000)
	require.Greater(t, refused, 500)
}

// TestBuffersWithoutAFormat: an empty resource stands for an empty buffer; with records it is a mistake.
func TestBuffersWithoutAFormat(t *testing.T) {
	for _, chip := range []encoding.Chip{encoding.Gfx906, encoding.Gfx1030, encoding.Gfx1100, encoding.Gfx1201} {
		for _, records := range []uint32{0, 64} {
			w := newWave()
			w.Mem = &samples.Memory{}
			w.S[8], w.S[9], w.S[10], w.S[11] = 0, 0, records, 0
			w.V[20].Fill(7)
			i, err := Decode(words(formatWords(t, chip, "buffer_load_format_x", 0, 0)...), 0, chip)
			require.NoError(t, err)
			Bind(&i, false)(w)
			if records == 0 {
				assert.Equal(t, wave.Running, w.Status)
				assert.Zero(t, w.V[20][0])
				continue
			}
			assert.Equal(t, wave.Faulted, w.Status)
			assert.Contains(t, w.Fault.Reason, "resource that has none")
		}
		i, err := Decode(words(formatWords(t, chip, "tbuffer_load_format_x", 0, 0)...), 0, chip)
		require.NoError(t, err)
		assert.False(t, Executable(&i), "%v: %s", chip, i.String())
	}
}

// TestStoresToBuffersInAnotherOrderEndTheWave: what a chip does with them is not known.
func TestStoresToBuffersInAnotherOrderEndTheWave(t *testing.T) {
	w := newWave()
	w.Mem = &samples.Memory{}
	w.S[8], w.S[9], w.S[10], w.S[11] = 0, 0, 64, 42<<12|3<<28|6|5<<3|4<<6|7<<9
	i, err := Decode(words(formatWords(t, encoding.Gfx1100, "buffer_store_format_xyzw", 0, 0)...), 0, encoding.Gfx1100)
	require.NoError(t, err)
	Bind(&i, false)(w)
	require.Equal(t, wave.Faulted, w.Status)
	require.Contains(t, w.Fault.Reason, "components in another order")
}

// TestUpperHalvesByFormat: buffer_load_format_d16_hi_x and its like.
func TestUpperHalvesByFormat(t *testing.T) {
	for _, chip := range []encoding.Chip{encoding.Gfx900, encoding.Gfx1030, encoding.Gfx1100, encoding.Gfx1201} {
		mem := &samples.Memory{}
		b, base := mem.Add(64, true)
		binary.LittleEndian.PutUint32(b, 0xff)
		w := newWave()
		w.SetSize(false)
		w.Mem = mem
		w.SetExec(1)
		format := uint32(1 << 12)
		if chip == encoding.Gfx900 {
			format = 1 << 15
		}
		w.S[8], w.S[9], w.S[10], w.S[11] = uint32(base), uint32(base>>32), 64, format|4|3<<28*uint32(min(1, chip.Set()))
		w.V[4].Fill(0)
		w.V[20].Fill(0x12345678)
		for _, kin := range []string{"buffer_load_format_d16_hi_x", "buffer_store_format_d16_hi_x"} {
			i, err := Decode(words(formatWords(t, chip, kin, 0, 0)...), 0, chip)
			require.NoError(t, err)
			Bind(&i, false)(w)
			require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
			require.Equal(t, uint32(0x3c005678), w.V[20][0], "%v: %s", chip, kin)
			w.V[4].Fill(1)
		}
		require.Equal(t, byte(255), b[1], "%v", chip)
	}
}

// TestStoresByFormatOfNaN: it is 0 where a format has none.
func TestStoresByFormatOfNaN(t *testing.T) {
	for _, data := range []uint32{1, 2} { // 8_UNORM, 8_SNORM
		mem := &samples.Memory{}
		b, base := mem.Add(64, true)
		b[0] = 9
		w := newWave()
		w.SetSize(true)
		w.Mem = mem
		w.SetExec(1)
		w.S[8], w.S[9], w.S[10], w.S[11] = uint32(base), uint32(base>>32), 64, 3<<28
		w.V[20].Fill(0xffc00000)
		i, err := Decode(words(formatWords(t, encoding.Gfx1100, "tbuffer_store_format_x", data, 0)...), 0, encoding.Gfx1100.Wave32())
		require.NoError(t, err)
		Bind(&i, false)(w)
		require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
		require.Zero(t, b[0])
	}
}
