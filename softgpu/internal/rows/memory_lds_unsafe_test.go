package rows

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

func TestScalarLoads(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(256, false)
	samples.Fill(b)
	for name, count := range map[string]int{"s_load_dword": 1, "s_load_dwordx2": 2, "s_load_dwordx4": 4, "s_load_dwordx8": 8, "s_load_dwordx16": 16} {
		w := newWave()
		w.Mem = mem
		w.SetS64(2, base+8)
		stepOf(t, smem(t, name, 16, 2, 16))(w)
		require.Equal(t, wave.Running, w.Status)
		for n := 0; n < count; n++ {
			require.Equal(t, binary.LittleEndian.Uint32(b[24+4*n:]), w.S[16+n], "%s word %d", name, n)
		}
		require.Zero(t, w.S[16+count])
	}
	w := newWave()
	w.Mem = mem
	w.SetS64(2, base+256)
	stepOf(t, smem(t, "s_load_dword", 16, 2, 0))(w)
	require.Equal(t, wave.Faulted, w.Status)
	require.Equal(t, -1, w.Fault.Lane)
	require.Equal(t, base+256, w.Fault.Addr)
}

func TestLDS(t *testing.T) {
	w := newWave()
	w.LDS = make([]byte, 64*16)
	for l := 0; l < 64; l++ {
		w.V[4][l], w.V[8][l], w.V[9][l], w.V[10][l], w.V[11][l] = uint32(l*16), uint32(l), uint32(l+100), uint32(l+200), uint32(l+300)
	}
	stepOf(t, ds(t, "ds_write_b128", 0, 4, 8, 0, 0))(w)
	stepOf(t, ds(t, "ds_read_b64", 20, 4, 0, 0, 8))(w)
	require.Equal(t, w.V[10], w.V[20])
	require.Equal(t, w.V[11], w.V[21])
	stepOf(t, ds(t, "ds_read2_b32", 20, 4, 0, 0, 1|3<<8))(w)
	require.Equal(t, w.V[9], w.V[20])
	require.Equal(t, w.V[11], w.V[21])
	stepOf(t, ds(t, "ds_write_b8", 0, 4, 9, 0, 3))(w)
	stepOf(t, ds(t, "ds_read_b32", 20, 4, 0, 0, 0))(w)
	require.Equal(t, uint32(7|107<<24), w.V[20][7])
	stepOf(t, ds(t, "ds_read_i8", 20, 4, 0, 0, 3))(w)
	require.Equal(t, int32(int8(100+40-256)), int32(w.V[20][40]))
	stepOf(t, ds(t, "ds_write2_b32", 0, 4, 8, 9, 2|0<<8))(w)
	stepOf(t, ds(t, "ds_read_b96", 20, 4, 0, 0, 0))(w)
	require.Equal(t, w.V[9], w.V[20])
	require.Equal(t, w.V[8], w.V[22])

	// The stride-64 forms count 64 elements.
	w.V[12].Fill(0)
	stepOf(t, ds(t, "ds_read2st64_b32", 20, 12, 0, 0, 0|1<<8))(w)
	require.Equal(t, binary.LittleEndian.Uint32(w.LDS[256:]), w.V[21][0])
}

func TestLDSBeyondItsEnd(t *testing.T) {
	w := newWave()
	w.LDS = make([]byte, 128)
	for l := range w.V[4] {
		w.V[4][l] = uint32(l * 4)
		w.V[8][l] = uint32(l + 1)
	}
	stepOf(t, ds(t, "ds_write_b32", 0, 4, 8, 0, 0))(w)
	w.V[20].Fill(5)
	stepOf(t, ds(t, "ds_read_b32", 20, 4, 0, 0, 0))(w)
	require.Equal(t, wave.Running, w.Status)
	for l := range w.V[20] {
		want := uint32(0)
		if l < 32 {
			want = uint32(l + 1)
		}
		require.Equal(t, want, w.V[20][l], "lane %d", l)
	}
	w.V[4].Fill(math.MaxUint32 - 7)
	stepOf(t, ds(t, "ds_add_rtn_u32", 20, 4, 8, 0, 4))(w)
	require.Equal(t, alu.Lanes{}, w.V[20], "the sum of address and offset lies beyond the end")
	stepOf(t, ds(t, "ds_read_b32", 20, 4, 0, 0, 12))(w)
	stepOf(t, ds(t, "ds_read2_b32", 21, 4, 0, 0, 2|4<<8))(w)
	require.Equal(t, [3]uint32{2, 1, 3}, [3]uint32{w.V[20][0], w.V[21][0], w.V[22][0]}, "the sum has 32 bits")
	w.LDS = nil
	stepOf(t, ds(t, "ds_read_b32", 20, 4, 0, 0, 0))(w)
	require.Equal(t, alu.Lanes{}, w.V[20])
}

func TestAtomicsOfAWaveGoInTheOrderOfItsLanes(t *testing.T) {
	w := newWave()
	w.LDS = make([]byte, 64)
	w.V[8].Fill(1)
	stepOf(t, ds(t, "ds_add_rtn_u32", 20, 4, 8, 0, 8))(w)
	for l := range w.V[20] {
		require.Equal(t, uint32(l), w.V[20][l], "lanes go in order")
	}
	require.Equal(t, uint32(64), binary.LittleEndian.Uint32(w.LDS[8:]))
}

func TestLaneExchangeByAddress(t *testing.T) {
	w := newWave()
	for l := range w.V[4] {
		w.V[4][l], w.V[8][l] = uint32((63-l)*4), uint32(l+100)
	}
	w.SetExec(alu.Full &^ (1 << 10))
	stepOf(t, ds(t, "ds_bpermute_b32", 20, 4, 8, 0, 0))(w)
	require.Equal(t, uint32(163), w.V[20][0])
	require.Equal(t, uint32(0), w.V[20][53], "from an inactive lane")
	stepOf(t, ds(t, "ds_permute_b32", 21, 4, 8, 0, 0))(w)
	require.Equal(t, uint32(163), w.V[21][0])
	require.Equal(t, uint32(0), w.V[21][53], "that nothing is sent to")
	w.SetExec(alu.Full)
	stepOf(t, ds(t, "ds_swizzle_b32", 22, 8, 0, 0, 0x8000|0x1b))(w) // quads reversed
	require.Equal(t, uint32(103), w.V[22][0])
	stepOf(t, ds(t, "ds_swizzle_b32", 22, 8, 0, 0, 0x1f|1<<10))(w) // xor 1
	require.Equal(t, uint32(101), w.V[22][0])
	require.Equal(t, uint32(132), w.V[22][33])
}
