package rows

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// patterns are the ways in which the offsets of eight lanes may lie.
var patterns = []func(r *rand.Rand, i int) uint32{
	func(r *rand.Rand, i int) uint32 { return uint32(4 * i) },
	func(r *rand.Rand, i int) uint32 { return uint32(4 * (i % 8)) },
	func(*rand.Rand, int) uint32 { return 40 },
	func(r *rand.Rand, i int) uint32 { return uint32(i / 16 * 64) },
	func(r *rand.Rand, i int) uint32 { return uint32(16 * i) },
	func(r *rand.Rand, i int) uint32 { return uint32(4 * (63 - i)) },
	func(r *rand.Rand, i int) uint32 { return r.Uint32N(1000) },
}

// TestWholeWavesMoveWords compares loads and stores of all lanes with moving
// each lane's words, whatever the offsets, and with destinations that hold them.
func TestWholeWavesMoveWords(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 13))
	mem := &samples.Memory{}
	b, base := mem.Add(4096, true)
	for round := range 400 {
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		w := newWave()
		w.Mem = mem
		for i := range w.V {
			w.V[i], _ = samples.Lanes[alu.Lanes](r, 'i')
		}
		for i := range w.V[4] {
			p := patterns[(round+i/8*(round%3))%len(patterns)]
			w.V[4][i], w.V[5][i] = uint32(base)+p(r, i), uint32(base>>32)
		}
		off := w.V[4]
		words := []int{1, 2, 3, 4}[round%4]
		name := []string{"", "x2", "x3", "x4"}[round%4]
		dst := []uint32{20, 2, 4, 1}[r.IntN(4)]
		stepOf(t, global(t, "global_load_dword"+name, dst, 4, 0, noSaddr, 0))(w)
		require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
		for n := range words {
			for i := range off {
				want := memory.Load32(base - uint64(uint32(base)) + uint64(off[i]) + uint64(4*n))
				require.Equal(t, want, w.V[int(dst)+n][i], "round %d word %d lane %d", round, n, i)
			}
		}
		w.V[4] = off
		w.V[5].Fill(uint32(base >> 32))
		want := append([]byte(nil), b...)
		for n := 0; n < words; n += 2 { // a lane stores two words at once
			for i := range off {
				for k := n; k < min(n+2, words); k++ {
					binary.LittleEndian.PutUint32(want[int(off[i]-uint32(base))+4*k:], w.V[8+k][i])
				}
			}
		}
		stepOf(t, global(t, "global_store_dword"+name, 0, 4, 8, noSaddr, 0))(w)
		require.Equal(t, want, b, "round %d", round)
	}
}
