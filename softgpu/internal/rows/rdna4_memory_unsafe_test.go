package rows

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

func rdna4Wave(wave32 bool) (*wave.Wave, *samples.Memory) {
	w := newWave()
	w.V = make([]alu.Lanes, 64)
	w.SetSize(wave32)
	if w.SetExec(math.MaxUint64); wave32 {
		w.SetExec(math.MaxUint32)
	}
	mem := &samples.Memory{}
	w.Mem = mem
	return w, mem
}

// TestTransposingLoads wants what was measured on a gfx1201 for a matrix of 16 rows of 16 halves.
func TestTransposingLoads(t *testing.T) {
	vector, scalar := []uint32{0xee15c07c, 20, 0x1004}, []uint32{0xee15c002, 20, 4} // v[4:5], off offset:16; v4, s[2:3]
	for _, c := range []struct {
		name  string
		code  []uint32
		place func(l int) int // the half that a lane's address is of
		want  func(l, j int) int
	}{
		{"lanes in the order of memory", vector, func(l int) int { return 8 * l },
			func(l, j int) int { return (l/8*4+j/2)*16 + l%8 + 8*(j%2) }},
		{"columns of the matrix in a lane", scalar, func(l int) int { return (8*(l/16)+l%8)*16 + l/8%2*8 },
			func(l, j int) int { return (8*(l/16)+j)*16 + l%16 }},
	} {
		w, mem := rdna4Wave(true)
		b, base := mem.Add(1024, true)
		for n := range 256 {
			binary.LittleEndian.PutUint16(b[16+2*n:], uint16(n))
		}
		if w.S[2], w.S[3] = uint32(base+16), uint32((base+16)>>32); c.code[2]&0x1000 == 0 {
			base = 0
		}
		for l := range 32 {
			at := base + uint64(2*c.place(l))
			w.V[4][l], w.V[5][l] = uint32(at), uint32(at>>32)
		}
		i := instOf(t, encoding.Gfx1200.Wave32(), c.code)
		Bind(i, false)(w)
		require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
		for l := range 32 {
			for j := range 8 {
				require.Equal(t, uint32(c.want(l, j)), w.V[20+j/2][l]>>(16*(j%2))&0xffff, "%s: lane %d, element %d", c.name, l, j)
			}
		}
		w.SetExec(math.MaxUint32 - 1)
		Bind(i, false)(w)
		require.Equal(t, wave.Faulted, w.Status, "with an inactive lane")
	}
	require.Nil(t, Bind(instOf(t, encoding.Gfx1200, vector), false), "waves of 64 were not measured")
	require.Nil(t, Bind(instOf(t, encoding.Gfx1200.Wave32(), []uint32{0xee16007c, 20, 4}), false), "nor were bytes")
}

// TestBlocksOfRegisters: M0 chooses among 32 registers, each of which has its own word of memory.
func TestBlocksOfRegisters(t *testing.T) {
	for _, c := range []struct {
		name        string
		load, store []uint32
		words       int // from the address to the first word
		private     bool
	}{
		{"global", []uint32{0xee14c07c, 8, 0x1004}, []uint32{0xee15007c, 8 << 23, 0x1004}, 4, false},
		{"private", []uint32{0xed14c07c, 8 | 1<<17, 0x1004}, []uint32{0xed15007c, 8<<23 | 1<<17, 0x1004}, 4, true},
		{"over its address", []uint32{0xee14c07c, 3, 0x1004}, []uint32{0xee15007c, 8 << 23, 0x1004}, 4, false},
		{"private, over its address", []uint32{0xed14c07c, 1 | 1<<17, 0x1004}, []uint32{0xed15007c, 8<<23 | 1<<17, 0x1004}, 4, true},
	} {
		for _, wave32 := range []bool{true, false} {
			for _, mask := range []uint32{0, 1, 0x80000000, 0x110003, math.MaxUint32} {
				w, mem := rdna4Wave(wave32)
				w.SetExec(w.Exec() & 0xaaaaaaaa5555fff1)
				const rows = 40
				b, base := mem.Add(64*4*rows, true)
				samples.Fill(b)
				before := append([]byte(nil), b...)
				w.SetS64(encoding.GFX12.FlatScratch(), base)
				w.ScratchBase, w.ScratchEnd = base, base+64*4*rows
				address := func() {
					for l := range w.V[4] {
						if at := base + uint64(l)*160; c.private {
							w.V[4][l] = 0
						} else {
							w.V[4][l], w.V[5][l] = uint32(at), uint32(at>>32)
						}
					}
				}
				at := func(l, n int) int {
					if c.private {
						return (c.words+n)*wave.WordRow + l*4
					}
					return l*160 + 4*(c.words+n)
				}
				chip := encoding.Gfx1200.InWaves(wave32)
				for n := range 32 {
					for l := range w.V[8] {
						w.V[8+n][l] = uint32(l<<8 | n)
					}
				}
				address()
				w.S[wave.M0] = mask
				seen := &recorder{}
				w.Watch = seen
				run := func(code []uint32) {
					i := instOf(t, chip, code)
					watch.Watched(i, Bind(i, false), 0)(w)
					require.Equal(t, wave.Running, w.Status, "%s: %+v", c.name, w.Fault)
				}
				run(c.store)
				for l := range w.Lanes() {
					for n := range 32 {
						if mask>>n&1 != 0 && w.Exec()>>l&1 != 0 {
							binary.LittleEndian.PutUint32(before[at(l, n):], uint32(l<<8|n))
						}
					}
				}
				require.Equal(t, before, b, "%s, mask %#x", c.name, mask)
				for _, a := range seen.seen {
					n := a.Data.At - 8
					require.NotZero(t, mask>>n&1)
					require.Equal(t, [3]uint64{uint64(wave.Writes), 4, w.Exec()}, [3]uint64{uint64(a.Op), a.Size, a.Lanes})
				}

				first := int(c.load[1] & 0xff)
				samples.Fill(b[16*16:])
				for n := range 32 {
					w.V[first+n].Fill(7)
				}
				address()
				old := append(w.V[:0:0], w.V...)
				run(c.load)
				for n := range w.V {
					for l := range w.Lanes() {
						want, k := old[n][l], n-first
						if k >= 0 && k < 32 && mask>>k&1 != 0 && w.Exec()>>l&1 != 0 {
							want = binary.LittleEndian.Uint32(b[at(l, k):])
						}
						require.Equal(t, want, w.V[n][l], "%s, mask %#x: v%d, lane %d", c.name, mask, n, l)
					}
				}
			}
		}
	}
}
