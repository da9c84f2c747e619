package rows

import (
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorder is a Watch that keeps what it is told.
type recorder struct {
	room     wave.Access
	seen     []wave.Access
	fine     bool
	refuse   bool
	spans    []wave.Span
	barriers int
	issued   []*wave.Uses
}

func (r *recorder) Fine(_ *wave.Wave, _ *wave.Touch, s wave.Span) bool {
	r.spans = append(r.spans, s)
	return r.fine
}
func (r *recorder) Room() *wave.Access                { return &r.room }
func (r *recorder) Done()                             {}
func (r *recorder) Arrives(*wave.Wave)                {}
func (r *recorder) Leaves(*wave.Wave)                 {}
func (r *recorder) Barrier(*wave.Wave)                { r.barriers++ }
func (r *recorder) Signals(*wave.Wave, int)           {}
func (r *recorder) Waited(*wave.Wave, int)            {}
func (r *recorder) Issued(_ *wave.Wave, u *wave.Uses) { r.issued = append(r.issued, u) }

func (r *recorder) Access(w *wave.Wave, a *wave.Access) bool {
	r.seen = append(r.seen, *a)
	if r.refuse {
		w.Fail("refused", -1, 0)
	}
	return !r.refuse
}

func watchedStep(t *testing.T, words []uint32) encoding.Step {
	t.Helper()
	i := inst(t, words)
	step := i.Row.Do(i)
	require.NotNil(t, step)
	return watch.Watched(i, step, 0)
}

func TestEveryRowThatTouchesMemoryIsWatched(t *testing.T) {
	for enc, rows := range map[encoding.Encoding][][]encoding.Row{
		encoding.DS: {rowsDS(), rows11DS()}, encoding.FLAT: {rowsFlat(), rowsGlobal(), rowsScratch(), rows11Flat(), rows11Global(), rows11Scratch()},
		encoding.MUBUF: {rowsMUBUF(), rows11MUBUF()}, encoding.MTBUF: {rowsMTBUF(), rows11MTBUF()}, encoding.SMEM: {rowsSMEM(), rows11SMEM()},
	} {
		for _, list := range rows {
			for n := range list {
				row := &list[n]
				_, touches := watch.Touches(&encoding.Inst{Row: row, Enc: enc, Size: 8})
				if row.Do == nil {
					continue
				}
				silent := map[string]bool{
					"ds_nop": true, "ds_swizzle_b32": true, "ds_permute_b32": true, "ds_bpermute_b32": true,
					"s_memtime": true, "s_memrealtime": true, "s_dcache_inv": true, "s_dcache_wb": true, "s_dcache_inv_vol": true,
					"s_dcache_wb_vol": true, "buffer_wbinvl1": true, "buffer_wbinvl1_vol": true, "buffer_wbl2": true, "buffer_invl2": true, "buffer_inv": true,
					"buffer_gl0_inv": true, "buffer_gl1_inv": true, "s_gl1_inv": true, "s_atc_probe": true, "s_atc_probe_buffer": true,
				}[row.Name] || strings.HasPrefix(row.Name, "ds_gws")
				assert.Equal(t, !silent, touches, row.Name)
			}
		}
	}
}

func TestSizesAreInNames(t *testing.T) {
	for name, want := range map[string]uint64{
		"ds_read_b32": 4, "ds_read2st64_b32": 4, "ds_read2st64_b64": 8, "ds_read_u16_d16_hi": 2, "ds_write_b8_d16_hi": 1, "ds_read_b96": 12,
		"ds_add_rtn_u64": 8, "ds_min_f64": 8, "ds_read_i8": 1, "global_load_short_d16_hi": 2, "global_load_sbyte_d16": 1, "global_store_dwordx3": 12,
		"global_atomic_add_x2": 8, "global_atomic_add_f64": 8, "buffer_store_byte_d16_hi": 1, "s_load_dwordx16": 64, "flat_load_ushort": 2,
		"global_atomic_add": 4, "ds_write_b128": 16, "scratch_load_dwordx2": 8, "global_atomic_pk_add_f16": 4,
	} {
		assert.Equal(t, want, watch.SizeInName(name), name)
	}
}

func TestWatchesSeeTheAddressesThatStepsUse(t *testing.T) {
	mem := &samples.Memory{}
	_, base := mem.Add(1<<16, true)
	for _, c := range []struct {
		name    string
		words   []uint32
		segment wave.Segment
		op      wave.Operation
		size    uint64
		at      []func(l uint64) uint64
	}{
		{"global row", global(t, "global_load_dword", 20, 4, 0, noSaddr, 16), wave.Global, wave.Reads, 4,
			[]func(uint64) uint64{func(l uint64) uint64 { return base + 8*l + 16 }}},
		{"global with a scalar base", global(t, "global_store_dwordx2", 0, 6, 8, 10, 0), wave.Global, wave.Writes, 8,
			[]func(uint64) uint64{func(l uint64) uint64 { return base + 8*l }}},
		{"global atomic", flatWords(t, "global_atomic_add", encoding.SegGlobal, 0, 4, 8, noSaddr, 0, false), wave.Global, wave.Updates, 4,
			[]func(uint64) uint64{func(l uint64) uint64 { return base + 8*l }}},
		{"flat", flatWords(t, "flat_load_ubyte", encoding.SegFlat, 20, 4, 0, 0, 5, false), wave.Global, wave.Reads, 1,
			[]func(uint64) uint64{func(l uint64) uint64 { return base + 8*l + 5 }}},
		{"LDS", ds(t, "ds_write_b64", 0, 6, 8, 0, 0x108), wave.Workgroup, wave.Writes, 8,
			[]func(uint64) uint64{func(l uint64) uint64 { return 8*l + 0x108 }}},
		{"LDS from below zero", ds(t, "ds_write_b32", 0, 14, 8, 0, 1024), wave.Workgroup, wave.Writes, 4,
			[]func(uint64) uint64{func(l uint64) uint64 { return 8*l + 512 }}},
		{"LDS twice", ds(t, "ds_read2st64_b32", 20, 6, 0, 0, 0x0201), wave.Workgroup, wave.Reads, 4,
			[]func(uint64) uint64{func(l uint64) uint64 { return 8*l + 256 }, func(l uint64) uint64 { return 8*l + 512 }}},
		{"LDS exchanged twice", ds(t, "ds_wrxchg2st64_rtn_b64", 20, 6, 8, 10, 0x0201), wave.Workgroup, wave.Updates, 8,
			[]func(uint64) uint64{func(l uint64) uint64 { return 8*l + 512 }, func(l uint64) uint64 { return 8*l + 1024 }}},
		{"spill", mubuf(t, "buffer_store_dword", 8, 0, 0, 12, 4, false, false, false), wave.Private, wave.Writes, 4,
			[]func(uint64) uint64{func(uint64) uint64 { return 4 + 32 }}},
		{"private array", mubuf(t, "buffer_load_ushort", 20, 6, 0, 128, 2, true, false, false), wave.Private, wave.Reads, 2,
			[]func(uint64) uint64{func(l uint64) uint64 { return 8*l + 2 }}},
		{"buffer", mubuf(t, "buffer_load_dword", 20, 6, 16, 128, 4, true, false, false), wave.Global, wave.Reads, 4,
			[]func(uint64) uint64{func(l uint64) uint64 { return base + 8*l + 4 }}},
		{"scalar", smem(t, "s_load_dwordx4", 24, 10, 16), wave.Global, wave.Reads, 16,
			[]func(uint64) uint64{func(uint64) uint64 { return base + 16 }}},
	} {
		for _, exec := range []uint64{alu.Full, 0x8000000000000001} {
			w := newWave()
			w.Mem, w.LDS = mem, make([]byte, 1<<14)
			w.SharedBase, w.PrivateBase = 0x1000000000000, 0x2000000000000
			pointers(w, 4, base, 8)
			pointers(w, 6, 0, 8)
			pointers(w, 14, 1<<32-512, 8)
			w.SetS64(10, base)
			w.S[12] = 32 * 64
			w.S[0], w.S[1] = uint32(base), uint32(base>>32)|1<<31
			w.S[2], w.S[3] = 1<<32-1, 3<<21|1<<23
			w.S[16], w.S[17], w.S[18], w.S[19] = uint32(base), uint32(base>>32), 8*63+8, 0
			w.SetExec(exec)
			r := &recorder{}
			w.Watch = r
			watchedStep(t, c.words)(w)
			require.Equal(t, wave.Running, w.Status, "%s: %+v", c.name, w.Fault)
			require.Len(t, r.seen, len(c.at), c.name)
			for n, a := range r.seen {
				assert.Equal(t, c.segment, a.Segment, c.name)
				assert.Equal(t, c.op, a.Op, c.name)
				assert.Equal(t, c.size, a.Size, c.name)
				lanes := exec
				if a.Scalar {
					lanes = 1
				}
				require.Equal(t, lanes, a.Lanes, c.name)
				for l := range uint64(64) {
					if lanes>>l&1 != 0 {
						require.Equal(t, c.at[n](l), a.At[l], "%s, lane %d", c.name, l)
					}
				}
			}
			if len(r.spans) > 0 {
				s := r.spans[0]
				assert.Equal(t, c.at[0](0), s.Low, c.name)
				last := uint64(63)
				if r.seen[0].Scalar {
					last = 0
				}
				assert.Equal(t, c.at[len(c.at)-1](last), s.High, c.name)
			}
		}
	}
}

func TestAWatchStopsAWave(t *testing.T) {
	mem := &samples.Memory{}
	_, base := mem.Add(256, true)
	w := newWave()
	w.Mem = mem
	pointers(w, 4, base, 4)
	w.V[20].Fill(5)
	w.Watch = &recorder{refuse: true}
	watchedStep(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	assert.Equal(t, wave.Faulted, w.Status)
	assert.Equal(t, uint32(5), w.V[20][0], "the instruction has not been executed")

	fine := &recorder{fine: true}
	w.Status, w.Fault, w.Watch = wave.Running, nil, fine
	watchedStep(t, global(t, "global_load_dword", 20, 4, 0, noSaddr, 0))(w)
	assert.Equal(t, uint32(0), w.V[20][0])
	assert.Len(t, fine.spans, 1)
	assert.Empty(t, fine.seen, "what is fine is not told in detail")

	watchedStep(t, short(t, "s_barrier", 0))(w)
	assert.Equal(t, 1, fine.barriers)
	assert.Equal(t, wave.AtBarrier, w.Status)
}

// TestWatchesKnowTheSizeOfAFormat: the resource has it, or the instruction; data in registers is not what memory gets.
func TestWatchesKnowTheSizeOfAFormat(t *testing.T) {
	for _, c := range []struct {
		kin    string
		format uint32
		size   uint64
	}{
		{"buffer_load_format_xyzw", 42, 4}, {"buffer_store_format_x", 13, 2}, {"tbuffer_load_format_xyzw", 63, 16}, {"tbuffer_store_format_d16_xy", 29, 4},
		{"buffer_load_format_x", 0, 0},
	} {
		mem := &samples.Memory{}
		_, base := mem.Add(4096, true)
		i, err := Decode(words(formatWords(t, encoding.Gfx1100, c.kin, c.format, 0)...), 0, encoding.Gfx1100.Wave32())
		require.NoError(t, err)
		step := i.Row.Do(&i)
		require.NotNil(t, step, i.String())
		r := &recorder{}
		w := newWave()
		w.SetSize(true)
		w.Mem, w.Watch = mem, r
		w.SetExec(1<<32 - 1)
		w.S[8], w.S[9], w.S[10], w.S[11] = uint32(base), uint32(base>>32), 4096, 3<<28|4|5<<3|6<<6|7<<9
		if c.kin[0] == 'b' {
			w.S[11] |= c.format << 12
		}
		for l := range w.V[4] {
			w.V[4][l] = uint32(l * 16)
		}
		watch.Watched(&i, step, 0)(w)
		if c.size == 0 {
			require.Empty(t, r.seen)
			continue
		}
		require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
		require.Len(t, r.seen, 1)
		require.Equal(t, c.size, r.seen[0].Size, c.kin)
		require.Equal(t, uint64(1<<32-1), r.seen[0].Lanes)
		require.Equal(t, base+16, r.seen[0].At[1])
		require.False(t, r.seen[0].HasData(), c.kin)
	}
}
