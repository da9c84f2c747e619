package rows

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

func TestAtomicsNeedAlignedAddresses(t *testing.T) {
	mem := &samples.Memory{}
	_, base := mem.Add(64*4, true)
	w := newWave()
	w.Mem = mem
	w.SetExec(1)
	pointers(w, 4, base+1, 4)
	stepOf(t, flatWords(t, "global_atomic_cmpswap", encoding.SegGlobal, 20, 4, 8, noSaddr, 0, false))(w)
	require.Equal(t, wave.Faulted, w.Status)
	require.Contains(t, w.Fault.Reason, "aligned")
}

func TestAtomicsOfManyWavesAddUp(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(8, true)
	step := stepOf(t, flatWords(t, "global_atomic_add", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false))
	var all sync.WaitGroup
	for n := 0; n < 4; n++ {
		all.Add(1)
		go func() {
			defer all.Done()
			w := newWave()
			w.Mem = &samples.Memory{Parts: mem.Parts}
			pointers(w, 4, base, 0)
			w.V[8].Fill(1)
			for k := 0; k < 50; k++ {
				step(w)
			}
		}()
	}
	all.Wait()
	require.Equal(t, uint32(4*64*50), binary.LittleEndian.Uint32(b))
}

// TestAtomicsOfFullWavesGoLaneByLane compares atomics of all lanes with those of one lane
// after the other, on words in one place, in a row, and anywhere, some of them shared.
func TestAtomicsOfFullWavesGoLaneByLane(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, set := range []struct {
		enc  encoding.Encoding
		seg  uint32
		rows []encoding.Row
	}{{encoding.DS, 0, rowsDS()}, {encoding.FLAT, encoding.SegGlobal, rowsGlobal()}} {
		ran := 0
		for n := range set.rows {
			row := &set.rows[n]
			i, err := decodeWords(atomicWords(set.enc, row, set.seg, true), encoding.Gfx950)
			touch, touches := watch.Touches(&encoding.Inst{Row: row, Enc: set.enc})
			if row.Do == nil || !touches || touch.Op != wave.Updates || err != nil || i.Row != row {
				continue
			}
			ran++
			for _, places := range []func(l int) uint64{
				func(int) uint64 { return 8 }, func(l int) uint64 { return uint64(l) * touch.Size }, func(l int) uint64 { return uint64(l+1) * touch.Size }, func(int) uint64 { return r.Uint64N(8) * 8 },
			} {
				mem := &samples.Memory{}
				bytes, base := mem.Add(65*8, true)
				w := randomWave(r)
				w.Mem, w.LDS = mem, bytes
				if set.enc == encoding.DS {
					base = 0
				}
				for l := range 64 {
					at := base + places(l)
					w.V[4][l], w.V[5][l] = uint32(at), uint32(at>>32)
					binary.LittleEndian.PutUint64(bytes[8*l:], r.Uint64())
				}
				step, memory, registers := row.Do(&i), slices.Clone(bytes), slices.Clone(w.V)
				for l := range 64 {
					w.SetExec(1 << l)
					step(w)
				}
				wantMemory, want := slices.Clone(bytes), slices.Clone(w.V)
				copy(bytes, memory)
				copy(w.V, registers)
				w.SetExec(alu.Full)
				step(w)
				require.Equal(t, wave.Running, w.Status, "%s: %+v", row.Name, w.Fault)
				require.Equal(t, wantMemory, bytes, row.Name)
				require.Equal(t, want, w.V, row.Name)
			}
		}
		require.Greater(t, ran, 20)
	}
}

func TestAtomicsOfFullWavesNeedAlignedAddresses(t *testing.T) {
	mem := &samples.Memory{}
	bytes, base := mem.Add(65*4, true)
	for _, step := range []uint64{0, 4} {
		w := newWave()
		w.Mem = mem
		pointers(w, 4, base, step)
		stepOf(t, flatWords(t, "global_atomic_add", encoding.SegGlobal, 20, 4, 8, noSaddr, 0, false))(w)
		require.Equal(t, wave.Running, w.Status)
		w.V[4][63] += 2
		if step == 0 {
			pointers(w, 4, base+2, 0)
		}
		clear(bytes)
		w.V[8].Fill(1)
		stepOf(t, flatWords(t, "global_atomic_add", encoding.SegGlobal, 20, 4, 8, noSaddr, 0, false))(w)
		require.Equal(t, wave.Faulted, w.Status)
		require.Contains(t, w.Fault.Reason, "aligned")
	}
}
