package softgpu

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestAWildAddressNamesEverything(t *testing.T) {
	d := open(t, Options{})
	p, _ := buffer[uint32](t, d, 1<<20)
	err := run(t, d, image(t), "poke", d1(1), d1(64), p, uint32(1<<20), uint32(1))
	require.ErrorIs(t, err, driver.LaunchFailure)
	text := err.Error()
	for _, part := range []string{
		"'hipModuleLaunchKernel(poke)' failed with 'hipErrorIllegalAddress': kernel poke: ",
		fmt.Sprintf("address %#x", uint64(p)+1<<22),
		"in `global_store_dword ",
		" at poke+0x",
		"workgroup (0,0,0)",
		"work-item (3,0,0)",
		"wave 0 lane 3",
		fmt.Sprintf("0 bytes past the end of the block of 4194304 bytes at %#x", uint64(p)),
	} {
		assert.Contains(t, text, part)
	}
}

func TestWordsBesideABlockAreOutOfReachWhereMemoryIsChecked(t *testing.T) {
	var reports strings.Builder
	d := open(t, Options{Check: "memory", Reports: &reports})
	for _, n := range []uint32{3, 64, 100, 1 << 16} {
		p, _ := buffer[uint32](t, d, int(n))
		require.NoError(t, run(t, d, image(t), "poke", d1(1), d1(64), p, n-1, uint32(1)))
		err := run(t, d, image(t), "poke", d1(1), d1(64), p, n, uint32(1))
		require.ErrorIs(t, err, driver.LaunchFailure, "word %d of %d", n, n)
		assert.Contains(t, err.Error(), "'hipModuleLaunchKernel(poke)' failed with 'hipErrorIllegalAddress'")
	}
	p, _ := buffer[uint32](t, d, 1<<16)
	err := run(t, d, image(t), "poke", d1(1), d1(64), p-8, uint32(1), uint32(1))
	require.ErrorIs(t, err, driver.LaunchFailure)
	assert.Regexp(t, `: kernel poke: write to an address that is not mapped, address 0x[0-9a-f]+, at poke\+0x34: see the report above$`, err.Error(), "told once")
	d = open(t, Options{Check: "memory", Reports: &reports})
	p, _ = buffer[uint32](t, d, 1<<16)
	require.Error(t, run(t, d, image(t), "poke", d1(1), d1(64), p-8, uint32(1), uint32(1)))
	assert.Contains(t, reports.String(), fmt.Sprintf("4 bytes before the block of 262144 bytes at %#x", uintptr(p)))
	assert.Equal(t, 2, strings.Count(reports.String(), "the kernel has no line tables: "), "once for each driver:\n%s", reports.String())
}

// A GPU maps pages: the rest of a block's last page belongs to no other block.
func TestTheRestOfABlocksPageIsInReach(t *testing.T) {
	for _, check := range []string{"", "race,uninit"} {
		d := open(t, Options{Check: check, Reports: io.Discard})
		for _, allocate := range []func(uint64) (driver.Ptr, error){d.MemAlloc, d.MemAllocManaged} {
			for _, n := range []uint32{1, 3, 64, 100, 1023, 1025, 2000, 5000, 1<<16 + 1} {
				p, err := allocate(uint64(n) * 4)
				require.NoError(t, err)
				other, err := allocate(uint64(n) * 4)
				require.NoError(t, err)
				require.NoError(t, d.Memset32(other, 7, uint64(n), 0))
				end := (n + 1023) &^ 1023
				for _, at := range []uint32{n, end - 1} {
					require.NoError(t, run(t, d, image(t), "poke", d1(1), d1(64), p, at%end, uint32(1)), "word %d of %d", at, n)
				}
				require.Equal(t, uint32(7), elements[uint32](uintptr(other), int(n))[0])
				require.Equal(t, uint32(7), elements[uint32](uintptr(other), int(n))[n-1])
				err = run(t, d, image(t), "poke", d1(1), d1(64), p, end, uint32(1))
				if p+driver.Ptr(4*end) == other {
					require.NoError(t, err, "as on a GPU")
				} else {
					require.ErrorIs(t, err, driver.LaunchFailure, "word %d of %d", end, n)
					require.Contains(t, err.Error(), fmt.Sprintf("%d bytes past the end of the block of %d bytes at %#x", 4*(end-n), 4*n, uintptr(p)))
				}
				require.ErrorIs(t, d.Memset32(p, 0, uint64(n)+1, 0), driver.InvalidValue, "fills and copies are exact")
				require.NoError(t, d.MemFree(p))
				require.NoError(t, d.MemFree(other))
			}
		}
	}
}

func TestHostMemoryThatWentAwayIsOutOfReach(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	s := newTestStream(t, d)
	for range 3 { // the first launch reads the process's mappings, later ones ask whether they still hold
		pages, err := mapMemory(8 << 20)
		require.NoError(t, err)
		p := driver.Ptr(addressOf(pages)) + 4<<20
		words := elements[uint32](uintptr(p), 2)
		l := driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: arguments(t, p, uint32(1), uint32(9))}
		for range 2 {
			require.NoError(t, d.LaunchKernel(f, l))
			require.NoError(t, d.StreamSynchronize(s))
			assert.Equal(t, uint32(9), words[1])
		}
		unmapMemory(pages)
		require.NoError(t, d.LaunchKernel(f, l))
		require.ErrorIs(t, d.StreamSynchronize(s), driver.LaunchFailure)
	}
}

func TestFreedMemoryIsOutOfReach(t *testing.T) {
	d := open(t, Options{})
	for _, n := range []int{16, 1 << 20} {
		p, _ := buffer[uint32](t, d, n)
		require.NoError(t, run(t, d, image(t), "poke", d1(1), d1(64), p, uint32(1), uint32(1)))
		require.NoError(t, d.MemFree(p))
		err := run(t, d, image(t), "poke", d1(1), d1(64), p, uint32(1), uint32(1))
		require.ErrorIs(t, err, driver.LaunchFailure)
		assert.Contains(t, err.Error(), "the address is in or next to a block that was freed")
	}
}

const header = `
.amdgcn_target "amdgcn-amd-amdhsa--gfx906"
.text
.globl k
.p2align 8
.type k,@function
k:
`

const footer = `
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx906
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 4
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 256
...
.end_amdgpu_metadata
`

// text is a code object with one kernel, k.
func text(t *testing.T, code string) []byte { return assemble(t, header+code+"\n.Lend:\n"+footer) }

func TestProgramsThatLeaveTheirCode(t *testing.T) {
	d := open(t, Options{})
	for name, c := range map[string]struct{ code, want string }{
		"far away":                   {"s_mov_b64 s[0:1], 0x1000\ns_setpc_b64 s[0:1]\ns_endpgm", "outside"},
		"off its end":                {"s_branch 1000\ns_endpgm", "program counter outside the code"},
		"middle of an instruction":   {"s_branch 1\ns_mov_b32 s0, 0x12345678\ns_endpgm", "middle of an instruction"},
		"register that it lacks":     {"v_mov_b32 v200, 0\ns_endpgm", "kernel k: register v200 does not exist: the kernel has 4, in `v_mov_b32_e32 v200, 0`, words 7f900280 at k+0x0,"},
		"word that is none":          {"s_nop 0\n.long 0xffffffff\ns_endpgm", "kernel k: illegal instruction: word 0xffffffff has no known encoding, words ffffffff at k+0x4,"},
		"opcode that is none":        {"s_nop 0\n.long 0xbe80ff00\ns_endpgm", "kernel k: illegal instruction: unknown opcode 255 of encoding SOP1 on gfx906, words be80ff00 at k+0x4,"},
		"another chip's instruction": {"s_nop 0\n.long 0xd3ee8000, 0x04020501\ns_endpgm", "kernel k: illegal instruction: "},
		"register range off the end": {"v_mov_b32 v0, 0\nglobal_load_dwordx4 v[2:5], v[0:1], off\ns_endpgm", "kernel k: "},
	} {
		t.Run(name, func(t *testing.T) {
			err := run(t, d, text(t, c.code), "k", d1(1), d1(64))
			require.ErrorIs(t, err, driver.LaunchFailure)
			assert.Contains(t, err.Error(), c.want)
			assert.Contains(t, err.Error(), "workgroup (0,0,0)")
		})
	}
}

func TestTheFirstFaultEndsTheLaunch(t *testing.T) {
	d := open(t, Options{})
	// Only workgroup 0 faults; the others would run for ever.
	code := text(t, `
  s_cmp_eq_u32 s2, 0
  s_cbranch_scc1 .Lbad
.Lspin:
  s_branch .Lspin
.Lbad:
  v_mov_b32 v1, 0
  v_mov_b32 v2, 0
  global_load_dword v0, v[1:2], off
  s_endpgm`)
	err := run(t, d, code, "k", d1(50), d1(64))
	require.ErrorIs(t, err, driver.LaunchFailure)
	assert.Contains(t, err.Error(), "workgroup (0,0,0)")
}

func TestModulesThatAreRefused(t *testing.T) {
	d := open(t, Options{})
	good := image(t)
	_, err := d.ModuleLoad(image(t, "-mcpu=gfx90a", "-O2"))
	require.ErrorIs(t, err, driver.WrongArch)
	assert.Contains(t, err.Error(), "'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu': the code object is for gfx90a")
	assert.Contains(t, err.Error(), "the device is gfx906")

	get := func(image []byte) error {
		m, err := d.ModuleLoad(image)
		require.NoError(t, err)
		_, err = d.ModuleGetFunction(m, "k")
		return err
	}
	err = get(text(t, "s_branch .Lover\n.long 0xffffffff\nimage_load v[0:3], v0, s[0:7] dmask:0xf unorm\n.Lover:\ns_endpgm"))
	require.NoError(t, err, "data between code")

	err = get(text(t, "s_nop 0\nds_ordered_count v0, v1 gds\ns_endpgm"))
	require.ErrorIs(t, err, driver.InvalidImage)
	assert.Contains(t, err.Error(), "k+0x4: instruction `ds_ordered_count v0, v1 gds` has no meaning")
	assert.Contains(t, err.Error(), "'hipModuleGetFunction(k)' failed with 'hipErrorInvalidImage'")

	for code, want := range map[string]string{
		"s_set_gpr_idx_on s0, gpr_idx(SRC0)\nv_mov_b32 v0, v1\nv_add_u32 v0, v1, v2\ns_set_gpr_idx_off\ns_endpgm": "k+0x8: instruction `v_add_u32_e32 v0, v1, v2` uses registers indexed by m0",
		"s_set_gpr_idx_on s0, gpr_idx(SRC1)\nv_readlane_b32 s0, v1, 2\ns_set_gpr_idx_off\ns_endpgm":               "k+0x4: instruction `v_readlane_b32 s0, v1, 2` uses registers indexed by m0",
		"s_set_gpr_idx_on s0, gpr_idx(DST)\ns_cbranch_scc0 1\ns_set_gpr_idx_off\nv_add_u32 v0, v1, v2\ns_endpgm":  "k+0x4: instruction `s_cbranch_scc0 1` leaves while registers are indexed",
		"s_set_gpr_idx_on s0, gpr_idx(DST)\nv_mov_b32 v0, v1":                                                     "k+0x4: the code ends while registers are indexed",
	} {
		err = get(text(t, code))
		require.ErrorIs(t, err, driver.InvalidImage, code)
		assert.Contains(t, err.Error(), want)
	}
	err = get(text(t, "s_set_gpr_idx_on s0, gpr_idx(SRC0)\ns_set_gpr_idx_mode gpr_idx(DST)\ns_mov_b32 m0, 1\ns_nop 0\nv_mov_b32 v0, v1\ns_set_gpr_idx_off\nv_add_u32 v0, v1, v2\ns_endpgm"))
	require.NoError(t, err)
	for n := 0; n < len(good); n += 64 {
		_, err := d.ModuleLoad(good[:n:n])
		require.Error(t, err, "%d bytes of %d", n, len(good))
	}
	for _, junk := range [][]byte{nil, {}, []byte("not an image at all, whatever it may be")} {
		_, err := d.ModuleLoad(junk)
		assert.ErrorIs(t, err, driver.InvalidImage)
	}

	m, err := d.ModuleLoad(good)
	require.NoError(t, err)
	for _, name := range []string{"", "no_such_kernel"} {
		_, err = d.ModuleGetFunction(m, name)
		require.ErrorIs(t, err, driver.NotFound)
		assert.Contains(t, err.Error(), "'hipModuleGetFunction("+name+")' failed with 'hipErrorNotFound'")
		assert.Contains(t, err.Error(), "vector_add")
	}
	a, err := d.ModuleGetFunction(m, "empty")
	require.NoError(t, err)
	b, err := d.ModuleGetFunction(m, "empty")
	require.NoError(t, err)
	assert.Equal(t, a, b)
	require.NoError(t, d.ModuleUnload(m))
	assert.ErrorIs(t, d.ModuleUnload(m), driver.InvalidHandle)
}

func TestAddressesOfFreedBlocksComeBackInTheEnd(t *testing.T) {
	d := open(t, Options{})
	for range 3 * mostFreed {
		p, err := d.MemAlloc(1 << 20)
		require.NoError(t, err)
		require.NoError(t, d.MemFree(p))
	}
	p, err := d.MemAlloc(2 * mostFreedBytes)
	require.NoError(t, err)
	require.NoError(t, d.MemFree(p))
	assert.Len(t, d.heap.freed, mostFreed)
	assert.Equal(t, uint64(mostFreed*(1<<20+2*margin)), d.heap.freedBytes)
	assert.Len(t, d.heap.regions, mostFreed+1, "and the device's own chunk")
}

func TestUnloadingGivesMemoryBack(t *testing.T) {
	d := open(t, Options{})
	regions := len(d.heap.regions)
	for range 10 {
		m, err := d.ModuleLoad(image(t))
		require.NoError(t, err)
		require.NoError(t, d.ModuleUnload(m))
	}
	assert.Len(t, d.heap.regions, regions)
	assert.Empty(t, d.functions.at)
}
