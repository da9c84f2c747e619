package gcn

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestInstructionsTellTheirRegistersAndQueues(t *testing.T) {
	v := func(first Register, count uint8) RegisterRange { return RegisterRange{firstVector + first, count} }
	for _, c := range []struct {
		words         []uint32
		queue         Queue
		reads, writes []RegisterRange
	}{
		{global(t, "global_load_dword", 20, 4, 0, noSaddr, 16), VectorQueue, []RegisterRange{v(4, 2)}, []RegisterRange{v(20, 1)}},
		{global(t, "global_store_dwordx2", 0, 6, 8, 10, 0), VectorQueue, []RegisterRange{v(6, 1), v(8, 2), {10, 2}}, nil},
		{flatWords(t, "flat_load_ubyte", segFlat, 20, 4, 0, 0, 5, false), FlatQueue, []RegisterRange{v(4, 2)}, []RegisterRange{v(20, 1)}},
		{ds(t, "ds_read2st64_b32", 20, 6, 0, 0, 0x0201), WorkgroupQueue, []RegisterRange{v(6, 1)}, []RegisterRange{v(20, 2)}},
		{mubuf(t, "buffer_load_ushort", 20, 6, 0, 128, 2, true, false, false), VectorQueue, []RegisterRange{v(6, 1), {0, 4}}, []RegisterRange{v(20, 1)}},
		{smem(t, "s_load_dwordx4", 24, 10, 16), ScalarQueue, []RegisterRange{{10, 2}}, []RegisterRange{{24, 4}}},
		{short(t, "s_barrier", 0), NoQueue, nil, nil},
		{short(t, "s_cbranch_vccnz", 0), NoQueue, []RegisterRange{{VccLo, 2}}, nil},
	} {
		i := inst(t, c.words)
		u := usesOf(i)
		assert.Equal(t, c.queue, u.Queue, i.Row.Name)
		assert.Equal(t, c.reads, u.Reads, i.Row.Name)
		assert.Equal(t, c.writes, u.Writes, i.Row.Name)
	}
	u := usesOf(inst(t, []uint32{short(t, "s_waitcnt", 0)[0] | 0x8575}))
	assert.Equal(t, Uses{Words: 1, Waits: true, Vector: 0x25, Workgroup: 5}, *u, "vmcnt has its upper bits elsewhere")
	assert.Equal(t, []string{"s3", "vcc_hi", "m0", "v7", "a255"}, []string{Register(3).String(), Register(VccHi).String(), Register(M0).String(), (firstVector + 7).String(), (NumRegisters - 1).String()})
}

func TestEveryMemoryRowHasAQueue(t *testing.T) {
	for enc, rows := range map[Encoding][][]Row{
		DS: {rowsDS()}, FLAT: {rowsFlat(), rowsGlobal(), rowsScratch()}, MUBUF: {rowsMUBUF()}, MTBUF: {rowsMTBUF()}, MIMG: {rowsMIMG()}, SMEM: {rowsSMEM()},
	} {
		for _, list := range rows {
			for n := range list {
				none := map[string]bool{"ds_nop": true, "buffer_wbinvl1": true, "buffer_wbinvl1_vol": true}[list[n].Name]
				assert.Equal(t, none, queueOf(&Inst{Row: &list[n], Enc: enc}) == NoQueue, list[n].Name)
			}
		}
	}
}

func TestAWatchIsToldBeforeEachInstruction(t *testing.T) {
	i := inst(t, short(t, "s_waitcnt", 0))
	w, r := newWave(), &recorder{}
	w.Watch = r
	ran := false
	Counted(i, func(*Wave) { ran = len(r.issued) == 1 })(w)
	require.True(t, ran)
	assert.True(t, r.issued[0].Waits)
}
