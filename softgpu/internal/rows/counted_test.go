package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInstructionsTellTheirRegistersAndQueues(t *testing.T) {
	v := func(first wave.Register, count uint8) wave.RegisterRange {
		return wave.RegisterRange{First: wave.FirstVector + first, Count: count}
	}
	for _, c := range []struct {
		words         []uint32
		queue         wave.Queue
		reads, writes []wave.RegisterRange
	}{
		{global(t, "global_load_dword", 20, 4, 0, noSaddr, 16), wave.VectorQueue, []wave.RegisterRange{v(4, 2)}, []wave.RegisterRange{v(20, 1)}},
		{global(t, "global_store_dwordx2", 0, 6, 8, 10, 0), wave.VectorQueue, []wave.RegisterRange{v(6, 1), v(8, 2), {First: 10, Count: 2}}, nil},
		{flatWords(t, "flat_load_ubyte", encoding.SegFlat, 20, 4, 0, 0, 5, false), wave.FlatQueue, []wave.RegisterRange{v(4, 2)}, []wave.RegisterRange{v(20, 1)}},
		{ds(t, "ds_read2st64_b32", 20, 6, 0, 0, 0x0201), wave.WorkgroupQueue, []wave.RegisterRange{v(6, 1)}, []wave.RegisterRange{v(20, 2)}},
		{mubuf(t, "buffer_load_ushort", 20, 6, 0, 128, 2, true, false, false), wave.VectorQueue, []wave.RegisterRange{v(6, 1), {First: 0, Count: 4}}, []wave.RegisterRange{v(20, 1)}},
		{smem(t, "s_load_dwordx4", 24, 10, 16), wave.ScalarQueue, []wave.RegisterRange{{First: 10, Count: 2}}, []wave.RegisterRange{{First: 24, Count: 4}}},
		{short(t, "s_barrier", 0), wave.NoQueue, nil, nil},
		{short(t, "s_cbranch_vccnz", 0), wave.NoQueue, []wave.RegisterRange{{First: wave.VccLo, Count: 2}}, nil},
	} {
		i := inst(t, c.words)
		u := watch.UsesOf(i)
		assert.Equal(t, c.queue, u.Queue, i.Row.Name)
		assert.Equal(t, c.reads, u.Reads, i.Row.Name)
		assert.Equal(t, c.writes, u.Writes, i.Row.Name)
	}
	u := watch.UsesOf(inst(t, []uint32{short(t, "s_waitcnt", 0)[0] | 0x8575}))
	assert.Equal(t, wave.Uses{Words: 1, Waits: true, Stores: wave.MostVector, Async: wave.MostCopies, Tensor: wave.MostCopies, Vector: 0x25, Workgroup: 5, Scalar: 5, MostWorkgroup: 15}, *u, "vmcnt has its upper bits elsewhere")
	assert.Equal(t, []string{"s3", "vcc_hi", "m0", "v7", "a255"}, []string{wave.Register(3).String(), wave.Register(wave.VccHi).String(), wave.Register(wave.M0).String(), (wave.FirstVector + 7).String(), (wave.NumRegisters - 1).String()})
}

func TestEveryMemoryRowHasAQueue(t *testing.T) {
	for enc, rows := range map[encoding.Encoding][][]encoding.Row{
		encoding.DS: {rowsDS()}, encoding.FLAT: {rowsFlat(), rowsGlobal(), rowsScratch()}, encoding.MUBUF: {rowsMUBUF()}, encoding.MTBUF: {rowsMTBUF()}, encoding.MIMG: {rowsMIMG()}, encoding.SMEM: {rowsSMEM()},
	} {
		for _, list := range rows {
			for n := range list {
				none := map[string]bool{"ds_nop": true, "buffer_wbinvl1": true, "buffer_wbinvl1_vol": true}[list[n].Name]
				assert.Equal(t, none, watch.QueueOf(&encoding.Inst{Row: &list[n], Enc: enc}) == wave.NoQueue, list[n].Name)
			}
		}
	}
}

func TestAWatchIsToldBeforeEachInstruction(t *testing.T) {
	i := inst(t, short(t, "s_waitcnt", 0))
	w, r := newWave(), &recorder{}
	w.Watch = r
	ran := false
	watch.Counted(i, func(*wave.Wave) { ran = len(r.issued) == 1 })(w)
	require.True(t, ran)
	assert.True(t, r.issued[0].Waits)
}

func TestAWaitUntilAWaveIsIdleWaitsForAllCounters(t *testing.T) {
	for _, chip := range []encoding.Chip{encoding.Gfx1100, encoding.Gfx1201} {
		i := mustDecode(t, chip, 0xbf8a0000)
		require.Equal(t, "s_wait_idle", i.String())
		u := watch.UsesOf(&i)
		assert.True(t, u.Waits)
		assert.Zero(t, u.Vector|u.Workgroup|u.Scalar|u.Stores|u.Async|u.Tensor)
		assert.True(t, watch.WaitsForAll(&i, true) && watch.WaitsForAll(&i, false))
	}
}

func TestWaitsForAsynchronousCopiesTellTheirCounter(t *testing.T) {
	i := mustDecode(t, encoding.Gfx1250.Wave32(), 0xbfca0003)
	require.Equal(t, "s_wait_asynccnt 0x3", i.String())
	u := watch.UsesOf(&i)
	assert.Equal(t, wave.Uses{Words: 1, Waits: true, Vector: wave.MostVector, Workgroup: 63, Scalar: 63, Stores: wave.MostVector, Async: 3, Tensor: wave.MostCopies, MostWorkgroup: 63, FlatInOrder: true, Split: true}, *u)
	i = mustDecode(t, encoding.Gfx1250.Wave32(), 0xee17c07c, 0, 4) // global_load_async_to_lds_b8 v0, v[4:5], off
	assert.Equal(t, wave.AsyncLoadQueue, watch.UsesOf(&i).Queue, i.String())
	i = mustDecode(t, encoding.Gfx1250.Wave32(), 0xeed931d1, 0x2d483c9b, 0x0b6dd518) // global_store_async_from_lds_b32
	assert.Equal(t, wave.AsyncStoreQueue, watch.UsesOf(&i).Queue, i.String())
	i = mustDecode(t, encoding.Gfx1250.Wave32(), 0xd9580020, 0) // ds_atomic_async_barrier_arrive_b64 v0 offset:32
	assert.Equal(t, wave.AsyncLoadQueue, watch.UsesOf(&i).Queue, i.String())
}
