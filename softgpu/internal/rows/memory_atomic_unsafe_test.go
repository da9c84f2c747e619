package rows

import (
	"encoding/binary"
	"math"
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

// TestAtomicsOfManyWavesAddUp has waves add one to each lane's word at once: to the same word, to rows that overlap each
// other, and to words apart.
func TestAtomicsOfManyWavesAddUp(t *testing.T) {
	for _, name := range []string{"global_atomic_add", "global_atomic_add_x2", "global_atomic_sub", "global_atomic_inc"} {
		for _, stride := range []uint64{0, 4, 8, 16} {
			if stride == 4 && name == "global_atomic_add_x2" {
				continue
			}
			mem := &samples.Memory{}
			b, base := mem.Add(68*16, true)
			step := stepOf(t, flatWords(t, name, encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false))
			var all sync.WaitGroup
			const waves, times = 4, 200
			for n := range uint64(waves) {
				all.Add(1)
				go func() {
					defer all.Done()
					w := newWave()
					w.Mem = &samples.Memory{Parts: mem.Parts}
					pointers(w, 4, base+n*stride, stride)
					w.V[8].Fill(1)
					w.V[9].Fill(0)
					switch name {
					case "global_atomic_sub":
						w.V[8].Fill(^uint32(0))
					case "global_atomic_inc":
						w.V[8].Fill(1 << 30)
					}
					for range times {
						step(w)
					}
				}()
			}
			all.Wait()
			var sum uint32
			for at := 0; at < len(b); at += 4 {
				sum += binary.LittleEndian.Uint32(b[at:])
			}
			require.Equal(t, uint32(waves*64*times), sum, "%s, %d", name, stride)
		}
	}
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
			code := atomicWords(set.enc, row, set.seg, true)
			i, err := decodeWords(code, encoding.Gfx950)
			touch, touches := watch.Touches(&encoding.Inst{Row: row, Enc: set.enc})
			if row.Do == nil || !touches || touch.Op != wave.Updates || err != nil || i.Row != row {
				continue
			}
			ran++
			fullWaveLaneByLane(t, r, &i, touch.Size)
			if i.Dst.Kind != encoding.NoOperand {
				i, err = decodeWords([]uint32{code[0], code[1]&^(0xff<<24) | 8<<24}, encoding.Gfx950)
				require.NoError(t, err)
				fullWaveLaneByLane(t, r, &i, touch.Size) // old values replace the data
			}
			if set.enc == encoding.FLAT {
				i, err = decodeWords(atomicWords(set.enc, row, set.seg, false), encoding.Gfx950)
				require.NoError(t, err)
				fullWaveLaneByLane(t, r, &i, touch.Size)
			}
		}
		require.Greater(t, ran, 20)
	}
}

func fullWaveLaneByLane(t *testing.T, r *rand.Rand, i *encoding.Inst, size uint64) {
	t.Helper()
	for n, places := range []func(l int) uint64{
		func(int) uint64 { return 8 }, func(l int) uint64 { return uint64(l) * size }, func(l int) uint64 { return uint64(l+1) * size }, func(int) uint64 { return r.Uint64N(8) * 8 },
	} {
		for _, exec := range []uint64{alu.Full, math.MaxUint32} {
			mem := &samples.Memory{}
			bytes, base := mem.Add(65*8, true)
			w := randomWave(r)
			w.Mem, w.LDS = mem, bytes
			if i.Enc == encoding.DS {
				base = 0
			}
			for l := range 64 {
				at := base + places(l)
				w.V[4][l], w.V[5][l] = uint32(at), uint32(at>>32)
				binary.LittleEndian.PutUint64(bytes[8*l:], r.Uint64())
				if l%3 == 0 { // so that comparisons meet
					w.V[8][l], w.V[10][l] = 7, 7
				}
			}
			step, memory, registers := i.Row.Do(i), slices.Clone(bytes), slices.Clone(w.V)
			for k := exec; k != 0; k &= k - 1 {
				w.SetExec(k & -k)
				step(w)
			}
			wantMemory, want := slices.Clone(bytes), slices.Clone(w.V)
			copy(bytes, memory)
			copy(w.V, registers)
			w.SetExec(exec)
			step(w)
			require.Equal(t, wave.Running, w.Status, "%s: %+v", i.Row.Name, w.Fault)
			require.Equal(t, wantMemory, bytes, "%s, places %d", i.Row.Name, n)
			require.Equal(t, want, w.V, "%s, places %d", i.Row.Name, n)
		}
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
