package rows

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// m0Chips have words of their own for LDS at an address in M0, with v20 or v8 and offset:8.
var m0Chips = []struct {
	chip                         encoding.Chip
	load, store, append, consume uint32
}{
	{encoding.Gfx906, 0xd96c0008, 0xd83a0008, 0xd97c0008, 0xd97a0008},
	{encoding.Gfx1030.Wave32(), 0xdac40008, 0xdac00008, 0xd8f80008, 0xd8f40008},
	{encoding.Gfx1100, 0xdac40008, 0xdac00008, 0xd8f80008, 0xd8f40008},
	{encoding.Gfx1200.Wave32(), 0xdac40008, 0xdac00008, 0xd8f80008, 0xd8f40008},
}

func TestLDSThatM0Addresses(t *testing.T) {
	const intoV20, fromV8 = 0x14000000, 0x800
	for _, c := range m0Chips {
		for _, exec := range []uint64{^uint64(0), 0x80000001, 0x5555, 1 << 31, 0} {
			run := func(m0 uint32, size int, code ...uint32) (w *wave.Wave, before []byte, seen *recorder) {
				i, err := decodeWords(code, c.chip)
				require.NoError(t, err)
				w = newWave()
				w.SetSize(c.chip.IsWave32())
				if w.SetExec(exec); c.chip.IsWave32() {
					w.SetExec(exec & (1<<32 - 1))
				}
				w.S[wave.M0] = m0
				w.LDS = make([]byte, size)
				for n := range w.LDS {
					w.LDS[n] = byte(n * 7)
				}
				for l := range w.V[8] {
					w.V[8][l], w.V[20][l] = uint32(l+1000), 5
				}
				before = append(before, w.LDS...)
				seen = &recorder{}
				w.Watch = seen
				watch.Watched(&i, Bind(&i, false), 0)(w)
				return w, before, seen
			}
			name := fmt.Sprintf("%v, exec %#x", c.chip, exec)
			word := binary.LittleEndian.Uint32

			w, lds, seen := run(0xabcd0010, 200, c.load, intoV20)
			for l := range w.Lanes() {
				want, at := uint32(5), 16+8+4*l
				if w.Exec()>>l&1 != 0 {
					if want = 0; at+4 <= len(lds) {
						want = word(lds[at:])
					}
				}
				require.Equal(t, want, w.V[20][l], "%s: load, lane %d", name, l)
			}
			if exec != 0 {
				require.Equal(t, wave.Reads, seen.seen[0].Op)
				require.Equal(t, [2]uint64{24, 28}, [2]uint64(seen.seen[0].At[:2]))
			}

			w, lds, seen = run(0xabcd0010, 200, c.store, fromV8)
			for l := range w.Lanes() {
				if at := 16 + 8 + 4*l; w.Exec()>>l&1 != 0 && at+4 <= len(lds) {
					binary.LittleEndian.PutUint32(lds[at:], uint32(l+1000))
				}
			}
			require.Equal(t, lds, w.LDS, "%s: store", name)
			if exec != 0 {
				require.Equal(t, wave.Writes, seen.seen[0].Op)
				require.Equal(t, w.Exec(), seen.seen[0].Lanes)
				require.Equal(t, 8, seen.seen[0].Data.At)
			}

			for by, code := range map[int]uint32{1: c.append, -1: c.consume} {
				w, lds, seen = run(0xabcd0010, 200, code, intoV20)
				old := word(lds[24:])
				require.Equal(t, old+uint32(by*bits.OnesCount64(w.Exec())), word(w.LDS[24:]), name)
				for l := range w.Lanes() {
					want := uint32(5)
					if w.Exec()>>l&1 != 0 {
						want = old
					}
					require.Equal(t, want, w.V[20][l], "%s: count, lane %d", name, l)
				}
				copy(lds[24:28], w.LDS[24:])
				require.Equal(t, lds, w.LDS, "nothing else is written")
				if exec != 0 {
					require.Equal(t, wave.Updates, seen.seen[0].Op)
					require.Equal(t, 1, bits.OnesCount64(seen.seen[0].Lanes), "one access for all lanes")
				}
				w, lds, _ = run(0x10, 24, code, intoV20)
				require.Equal(t, lds, w.LDS, "beyond the end")
				if exec != 0 {
					require.Zero(t, w.V[20][bits.TrailingZeros64(w.Exec())])
					w, _, _ = run(0x11, 200, code, intoV20)
					require.Equal(t, wave.Faulted, w.Status, "an address that is not aligned")
				}
			}
		}
	}
}
