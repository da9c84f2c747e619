package emu

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// routed is a kernel for waves of 32 of gfx1100, whose waves go the same way, and at times another one. The literals
// stand for the address of the output and for the work-item from which on stores fault.
var routed = []uint32{
	0x30020082, 0x7e0c0500, 0xd6460004, 0x04051400, // v_lshlrev_b32 v1, 2, v0; v_readfirstlane_b32 s6, v0; v_lshl_add_u32 v4, s0, 10, v1
	0xd8340000, 0x00000001, 0xbfbd0000, // ds_store_b32 v1, v0; s_barrier
	0xd8d80000, 0x02000001, 0x4a040102, 0xbfbd0000, // ds_load_b32 v2, v1; v_add_nc_u32 v2, v2, v0; s_barrier
	0xbf0aff06, 0x00000080, 0xbfa20006, 0xbfa00000, // s_cmp_lt_u32 s6, 128; s_cbranch_scc1 a; s_branch b
	0x4a040481, 0xbfbd0000, // b: v_add_nc_u32 v2, 1, v2; s_barrier
	0x4a040487, 0x4a040487, 0xbfa00004, // v_add_nc_u32 v2, 7, v2 twice; s_branch c
	0x4a040482, 0xbfbd0000, // a: v_add_nc_u32 v2, 2, v2; s_barrier
	0x4a040485, 0x4a040485, // v_add_nc_u32 v2, 5, v2 twice
	0x4a040483, 0xbfbd0000, // c: v_add_nc_u32 v2, 3, v2; s_barrier
	0xbe87007e, 0x7d920085, 0x4a0602c4, // s_mov_b32 s7, exec_lo; v_cmpx_lt_u32 5, v0; v_add_nc_u32 v3, -4, v1
	0xd8d80000, 0x03000003, 0x4a040702, 0xbefe0007, // ds_load_b32 v3, v3; v_add_nc_u32 v2, v2, v3; s_mov_b32 exec_lo, s7
	0xbfbd0000,                                                             // s_barrier
	0x4c0602ff, 0x000003fc, 0x7d9800ff, 0x000000c8, 0xd8340000, 0x00000201, // v_sub_nc_u32 v3, 1020, v1; v_cmpx_gt_u32 200, v0; ds_store_b32 v1, v2
	0xbefe0007, 0xbfbd0000, // s_mov_b32 exec_lo, s7; s_barrier
	0xd8d80000, 0x03000003, 0x4a040702, 0xbe880083, // ds_load_b32 v3, v3; v_add_nc_u32 v2, v2, v3; s_mov_b32 s8, 3
	0xd8340000, 0x00000201, 0x4a040483, 0xbfbd0000, // loop: ds_store_b32 v1, v2; v_add_nc_u32 v2, 3, v2; s_barrier
	0x4a040502, 0x80888108, 0xbf078008, // v_add_nc_u32 v2, v2, v2; s_sub_u32 s8, s8, 1; s_cmp_lg_u32 s8, 0
	0xbfa2fff8, 0xbe8400ff, lowAddress, 0xbe8500ff, highAddress, // s_cbranch_scc1 loop; s_mov_b32 s4, lowAddress; s_mov_b32 s5, highAddress
	0xbf0aff06, someItem, 0x9805ff05, 0x00007fff, // s_cmp_lt_u32 s6, someItem; s_cselect_b32 s5, s5, 0x7fff
	0xbfbd0000,                                     // s_barrier
	0xdc6a0000, 0x00040204, 0xbf0aff06, 0x000000c0, // global_store_b32 v4, v2, s[4:5]; s_cmp_lt_u32 s6, 192
	0xbfa10004, 0x4a040481, 0xbfbd0000, // s_cbranch_scc0 end; v_add_nc_u32 v2, 1, v2; s_barrier
	0xdc6a0000, 0x00040204, // global_store_b32 v4, v2, s[4:5]
	0xbfb00000, // end: s_endpgm
}

// late is a kernel in which the wave that begins with the work-item someItem gets to the first barrier many turns after
// the others.
var late = []uint32{
	0x30020082, 0x7e0c0500, 0xd6460004, 0x04051400, // v_lshlrev_b32 v1, 2, v0; v_readfirstlane_b32 s6, v0; v_lshl_add_u32 v4, s0, 10, v1
	0x7e040280, 0xb0083000, 0xbf07ff06, someItem, 0xbfa20003, // v_mov_b32 v2, 0; s_movk_i32 s8, 0x3000; s_cmp_lg_u32 s6, someItem; s_cbranch_scc1 go
	0x80888108, 0xbf078008, 0xbfa2fffd, // spin: s_sub_u32 s8, s8, 1; s_cmp_lg_u32 s8, 0; s_cbranch_scc1 spin
	0x4a040481, 0xbfbd0000, // go: v_add_nc_u32 v2, 1, v2; s_barrier
	0x4a040482, 0x4a040482, 0xbfbd0000, // v_add_nc_u32 v2, 2, v2 twice; s_barrier
	0x4a040502, 0x4a040483, 0xbfbd0000, // v_add_nc_u32 v2, v2, v2; v_add_nc_u32 v2, 3, v2; s_barrier
	0xbe8400ff, lowAddress, 0xbe8500ff, highAddress, // s_mov_b32 s4, lowAddress; s_mov_b32 s5, highAddress
	0xdc6a0000, 0x00040204, 0xbfb00000, // global_store_b32 v4, v2, s[4:5]; s_endpgm
}

const lowAddress, highAddress, someItem = 0x11111111, 0x22222222, 0x33333333

// span is memory at these addresses only.
type span struct{ lo, hi uint64 }

func (s span) Window(addr uint64, _ bool) (lo, hi uint64, ok bool) {
	return s.lo, s.hi, addr >= s.lo && addr < s.hi
}

type noProfile struct{}

func (noProfile) Workgroup(Workgroup) Profile { return noProfile{} }
func (noProfile) Over()                       {}

// runRouted runs a kernel in three workgroups of block work-items, in runs or step by step, with its output at out.
// routes is the number of routes that were found.
func runRouted(t *testing.T, kernel []uint32, out *[3 * 256]uint32, block, item uint32, steps bool) (executed uint64, routes int, err error) {
	at := uint64(uintptr(unsafe.Pointer(out)))
	code := append([]uint32(nil), kernel...)
	for n, w := range code {
		switch w {
		case lowAddress:
			code[n] = uint32(at)
		case highAddress:
			code[n] = uint32(at >> 32)
		case someItem:
			code[n] = item
		}
	}
	chip := encoding.Gfx1100.Wave32()
	text := Text{Chip: chip, Code: bytesOf(code), Base: 0x10000, Ranges: []Range{{"k", 0, uint32(4 * len(code))}}}
	if steps {
		text.Around = func(_ *encoding.Inst, step encoding.Step) encoding.Step { return step }
	}
	p, err := NewProgram(text)
	require.NoError(t, err)
	k, err := NewKernel(p, "k", &codeobj.Descriptor{VGPRs: 8, FloatMode: 0xf0, DX10Clamp: true, IEEE: true, Wavefront32: true,
		GroupSize: 1024, WorkgroupIDX: true}, 0x10000)
	require.NoError(t, err)
	m := NewMachine(encoding.Gfx1100, nil)
	for range 2 { // in the second, the storage of workgroups has the routes of the first
		err = m.Run(&Dispatch{Kernel: k, Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{block, 1, 1}, Mem: span{at, at + 4*uint64(len(out))}, Profile: noProfile{}})
	}
	for _, g := range m.free {
		for _, r := range g.routes {
			if r != nil {
				routes++
			}
		}
	}
	return m.Executed(), routes, err
}

// TestWavesThatTakeARouteDoWhatTheirStepsDo has waves that follow the first one, and some that do not: by a branch, by an
// op that leaves an instruction to its step, by lanes that are not active, by an early end, and by a fault.
func TestWavesThatTakeARouteDoWhatTheirStepsDo(t *testing.T) {
	out := new([3 * 256]uint32)
	var pinned runtime.Pinner
	pinned.Pin(out)
	defer pinned.Unpin()
	for _, block := range []uint32{256, 250, 31, 160} {
		for _, faults := range []uint32{^uint32(0), 32, 192, 0} {
			*out = [len(out)]uint32{}
			all, _, failure := runRouted(t, routed, out, block, faults, true)
			want := *out
			*out = [len(out)]uint32{}
			executed, routes, err := runRouted(t, routed, out, block, faults, false)
			require.Equal(t, failure, err, "%d work-items", block)
			require.Equal(t, faults < block, err != nil)
			require.Equal(t, want, *out, "%d work-items, faults from %d on", block, faults)
			if err == nil {
				require.Equal(t, all, executed)
			}
			if alu.HasRuns && block > 32 && err == nil {
				require.Greater(t, routes, 6)
			}
		}
	}
}

// TestWavesAfterALateOneTakeTheirTurnsOnce has a wave that completes a barrier in the middle of a round: those after it go
// on in the same round, and are not where it is then.
func TestWavesAfterALateOneTakeTheirTurnsOnce(t *testing.T) {
	out := new([3 * 256]uint32)
	var pinned runtime.Pinner
	pinned.Pin(out)
	defer pinned.Unpin()
	for item := uint32(0); item < 256; item += 32 {
		*out = [len(out)]uint32{}
		all, _, err := runRouted(t, late, out, 256, item, true)
		require.NoError(t, err)
		want := *out
		*out = [len(out)]uint32{}
		executed, _, err := runRouted(t, late, out, 256, item, false)
		require.NoError(t, err)
		require.Equal(t, want, *out, "the wave from %d on is late", item)
		require.Equal(t, all, executed)
	}
}
