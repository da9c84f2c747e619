package rows

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// privateWave has scratch memory, the resource that kernels get in s[0:3], and flat_scratch.
func privateWave(words int) (*wave.Wave, []byte) {
	mem := &samples.Memory{}
	b, base := mem.Add(words*wave.WordRow, true)
	w := newWave()
	w.Mem = mem
	w.S[0], w.S[1] = uint32(base), uint32(base>>32)|1<<31
	w.S[2], w.S[3] = math.MaxUint32, 3<<21|1<<23
	w.SetS64(wave.FlatScratchLo, base)
	w.PrivateBase, w.SharedBase = 0x2000000000000, 0x1000000000000
	return w, b
}

func TestPrivateMemoryByBufferAndFlatIsTheSame(t *testing.T) {
	w, b := privateWave(16)
	for l := range w.V[4] {
		w.V[4][l], w.V[5][l], w.V[6][l], w.V[7][l] = uint32(l), uint32(l+100), uint32(l+200), uint32(l+300)
	}
	stepOf(t, mubuf(t, "buffer_store_dwordx4", 4, 0, 0, 128, 8, false, false, false))(w)
	require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
	for l := 0; l < 64; l++ {
		for n := 0; n < 4; n++ {
			require.Equal(t, w.V[4+n][l], binary.LittleEndian.Uint32(b[(2+n)*wave.WordRow+l*4:]), "lane %d word %d", l, n)
		}
	}
	pointers(w, 8, w.PrivateBase+8, 0)
	stepOf(t, flatWords(t, "flat_load_dwordx4", encoding.SegFlat, 20, 8, 0, 0, 0, false))(w)
	require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
	require.Equal(t, w.V[4:8], w.V[20:24])
	w.V[12].Fill(12)
	stepOf(t, flatWords(t, "scratch_load_dwordx2", encoding.SegScratch, 24, 12, 0, noSaddr, 0, false))(w)
	require.Equal(t, w.V[5:7], w.V[24:26])
	stepOf(t, mubuf(t, "buffer_load_dword", 26, 12, 0, 128, 4, true, false, false))(w)
	require.Equal(t, w.V[6], w.V[26])
	w.S[10] = 64 * 16 // a stack pointer: unswizzled
	stepOf(t, mubuf(t, "buffer_load_dword", 27, 0, 0, 10, 4, false, false, false))(w)
	require.Equal(t, w.V[7], w.V[27])
	stepOf(t, mubuf(t, "buffer_store_byte", 4, 12, 0, 128, 2, true, false, false))(w)
	require.Equal(t, byte(9), b[3*wave.WordRow+9*4+2])
}

func TestFlatAddressesPickTheirMemoryByLane(t *testing.T) {
	w, _ := privateWave(4)
	mem := w.Mem.(*samples.Memory)
	b, base := mem.Add(256, true)
	w.LDS = make([]byte, 256)
	for l := 0; l < 64; l++ {
		a := base + uint64(l)*4
		switch l % 3 {
		case 1:
			a = w.SharedBase + uint64(l)*4
		case 2:
			a = w.PrivateBase + 4
		}
		w.V[4][l], w.V[5][l], w.V[8][l] = uint32(a), uint32(a>>32), uint32(l+1)
	}
	stepOf(t, flatWords(t, "flat_store_dword", encoding.SegFlat, 0, 4, 8, 0, 0, false))(w)
	require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
	require.Equal(t, uint32(4), binary.LittleEndian.Uint32(b[12:]))
	require.Equal(t, uint32(5), binary.LittleEndian.Uint32(w.LDS[16:]))
	stepOf(t, flatWords(t, "flat_load_dword", encoding.SegFlat, 4, 4, 0, 0, 0, false))(w)
	require.Equal(t, w.V[8], w.V[4])
}

func TestBuffersCheckTheirRange(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(1024, true)
	samples.Fill(b)
	w := newWave()
	w.Mem = mem
	w.S[4], w.S[5], w.S[6], w.S[7] = uint32(base), uint32(base>>32), 100, 0
	for l := range w.V[4] {
		w.V[4][l] = uint32(l * 4)
		w.V[8][l] = 0xffffffff
	}
	w.V[20].Fill(9)
	stepOf(t, mubuf(t, "buffer_load_dword", 20, 4, 4, 128, 0, true, false, false))(w)
	for l := range w.V[20] {
		want := uint32(0)
		if l < 25 {
			want = binary.LittleEndian.Uint32(b[4*l:])
		}
		require.Equal(t, want, w.V[20][l], "lane %d", l)
	}
	stepOf(t, mubuf(t, "buffer_store_dword", 8, 4, 4, 128, 0, true, false, false))(w)
	require.Equal(t, byte(0xff), b[99])
	require.NotEqual(t, byte(0xff), b[100])
	require.Equal(t, wave.Running, w.Status)

	// A structured buffer: an index times the stride.
	w.S[5], w.S[6] = uint32(base>>32)|8<<16, 60
	for l := range w.V[4] {
		w.V[4][l] = uint32(l)
	}
	stepOf(t, mubuf(t, "buffer_load_dword", 20, 4, 4, 128, 4, false, true, false))(w)
	require.Equal(t, binary.LittleEndian.Uint32(b[59*8+4:]), w.V[20][59])
	require.Zero(t, w.V[20][60], "records are counted in strides")
	w.V[8].Fill(1)
	stepOf(t, mubuf(t, "buffer_atomic_add", 8, 4, 4, 128, 4, false, true, true))(w)
	require.Equal(t, w.V[20], w.V[8], "the data register receives the old value")
	require.Equal(t, w.V[20][59]+1, binary.LittleEndian.Uint32(b[59*8+4:]))
}

// A lane whose words lie on both sides of a buffer's end reads those before it, and
// zeros for others, which it does not write either.
func TestBuffersEndBetweenTheWordsOfALane(t *testing.T) {
	for _, exec := range []uint64{alu.Full, 0xf0f0f0f0f0f0f0f0} {
		for words, name := range map[int]string{2: "dwordx2", 3: "dwordx3", 4: "dwordx4"} {
			for end := 0; end <= 40; end++ {
				mem := &samples.Memory{}
				b, base := mem.Add(1024, true)
				samples.Fill(b)
				before := append([]byte(nil), b...)
				w := newWave()
				w.Mem = mem
				w.SetExec(exec)
				w.S[4], w.S[5], w.S[6], w.S[7] = uint32(base), uint32(base>>32), uint32(500+end), 0
				w.S[9] = 8
				for l := range 64 {
					w.V[20][l] = uint32(480 + l%16*4 - l%2) // overwritten by what is loaded
				}
				offsets := w.V[20]
				in := func(l, n int) int {
					if at := int(offsets[l]) + 4 + 8 + 4*n; at+4 <= 500+end {
						return at
					}
					return -1
				}
				stepOf(t, mubuf(t, "buffer_load_"+name, 20, 20, 4, 9, 4, true, false, false))(w)
				require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
				for l := range 64 {
					for n := range words {
						want := uint32(0)
						if exec>>l&1 == 0 {
							continue
						} else if at := in(l, n); at >= 0 {
							want = binary.LittleEndian.Uint32(b[at:])
						}
						require.Equal(t, want, w.V[20+n][l], "%s: end %d, lane %d, word %d", name, end, l, n)
					}
				}
				for l := range 64 {
					offsets[l] += uint32(l % 2)
					w.V[8][l] = offsets[l]
					for n := range words {
						w.V[20+n][l] = offsets[l] + uint32(n)*4
						if at := in(l, n); at >= 0 && exec>>l&1 != 0 {
							binary.LittleEndian.PutUint32(before[at:], w.V[20+n][l])
						}
					}
				}
				stepOf(t, mubuf(t, "buffer_store_"+name, 20, 8, 4, 9, 4, true, false, false))(w)
				require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
				require.Equal(t, before, b, "%s: end %d", name, end)
			}
		}
	}
}

func TestPrivateAccessesThatAreNotAligned(t *testing.T) {
	w, b := privateWave(8)
	for l := range w.V[4] {
		w.V[4][l], w.V[5][l] = 0x04030201+uint32(l), 0x08070605
	}
	stepOf(t, mubuf(t, "buffer_store_dwordx2", 4, 0, 0, 128, 6, false, false, false))(w)
	require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
	require.Equal(t, byte(2), b[1*wave.WordRow+1*4+2], "low byte of lane 1")
	require.Equal(t, byte(3), b[2*wave.WordRow+1*4], "third byte, in the next word")
	require.Equal(t, byte(8), b[3*wave.WordRow+1*4+1])
	stepOf(t, mubuf(t, "buffer_load_dwordx2", 20, 0, 0, 128, 6, false, false, false))(w)
	require.Equal(t, w.V[4:6], w.V[20:22])
	pointers(w, 8, w.PrivateBase+6, 0)
	stepOf(t, flatWords(t, "flat_load_dwordx2", encoding.SegFlat, 8, 8, 0, 0, 0, false))(w)
	require.Equal(t, w.V[4:6], w.V[8:10])
	w.V[12].Fill(7)
	stepOf(t, flatWords(t, "scratch_store_short", encoding.SegScratch, 0, 12, 5, noSaddr, 0, false))(w)
	stepOf(t, flatWords(t, "scratch_load_ushort", encoding.SegScratch, 22, 12, 0, noSaddr, 0, false))(w)
	require.Equal(t, uint32(0x0605), w.V[22][9])
	require.Equal(t, byte(5), b[1*wave.WordRow+9*4+3])
	require.Equal(t, byte(6), b[2*wave.WordRow+9*4])
}

func TestFlatAccessesOfWholeWaves(t *testing.T) {
	w, _ := privateWave(4)
	mem := w.Mem.(*samples.Memory)
	b, base := mem.Add(64*8, true)
	w.LDS = make([]byte, 64*8)
	for l := range w.V[8] {
		w.V[8][l], w.V[9][l] = uint32(l+1), uint32(l+1000)
	}
	store := stepOf(t, flatWords(t, "flat_store_dwordx2", encoding.SegFlat, 0, 4, 8, 0, 0, false))
	load := stepOf(t, flatWords(t, "flat_load_dwordx2", encoding.SegFlat, 4, 4, 0, 0, 0, false))
	for _, at := range []uint64{base, base, w.SharedBase, w.PrivateBase} {
		pointers(w, 4, at, 8)
		if at == w.PrivateBase {
			pointers(w, 4, at, 0)
		}
		store(w)
		load(w)
		require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
		require.Equal(t, w.V[8:10], w.V[4:6])
	}
	require.Equal(t, uint32(1063), binary.LittleEndian.Uint32(b[63*8+4:]))
	require.Equal(t, b, w.LDS)
	pointers(w, 4, w.SharedBase+8, 8)
	load(w)
	require.Equal(t, uint32(0), w.V[4][63], "beyond the end of LDS")
	require.Equal(t, uint32(64), w.V[4][62])
	pointers(w, 4, base+8, 8)
	load(w)
	require.Equal(t, wave.Faulted, w.Status)
	require.Equal(t, 63, w.Fault.Lane)
}

// LLVM adds constants to addresses below zero, as the sum has 32 bits.
func TestOffsetsOfPrivateBuffersWrapAround(t *testing.T) {
	for _, place := range []uint32{4, 6} { // 6: each lane's word lies in two
		w, b := privateWave(4)
		w.ScratchBase = w.S64(wave.FlatScratchLo)
		w.ScratchEnd = w.ScratchBase + uint64(len(b))
		w.V[12].Fill(place - 72)
		for l := range w.V[4] {
			w.V[4][l] = 0x04030201 * uint32(l+1)
		}
		stepOf(t, mubuf(t, "buffer_store_dword", 4, 12, 0, 128, 72, true, false, false))(w)
		require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
		stepOf(t, mubuf(t, "buffer_load_dword", 20, 0, 0, 128, place, false, false, false))(w)
		require.Equal(t, w.V[4], w.V[20])
		stepOf(t, mubuf(t, "buffer_load_dword", 21, 12, 0, 128, 72, true, false, false))(w)
		require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
		require.Equal(t, w.V[4], w.V[21])
	}
}
