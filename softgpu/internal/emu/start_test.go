package emu

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// program is a text of steps made by hand: word n runs step n.
func program(steps ...encoding.Step) *Program {
	p, err := NewProgram(Text{Base: 0x10000, Code: make([]byte, 4*len(steps)), Ranges: []Range{{"k", 0, uint32(4 * len(steps))}}, Late: true})
	if err != nil {
		panic(err)
	}
	g := &page{}
	g.checked.Store(^uint64(0))
	for i, s := range steps {
		g.slots = append(g.slots, slot{s, uint32(i) + 1, 1})
	}
	for n := range p.tables {
		pages := make(table, 1)
		pages[0].Store(g)
		p.tables[n].Store(&pages)
	}
	return p
}

func end(w *wave.Wave) { w.Status = wave.Ended }

func barrier(w *wave.Wave) {
	w.Arrive()
	w.Status = wave.AtBarrier
}

// newKernel makes a kernel that starts at word 0 of p.
func newKernel(t *testing.T, p *Program, d codeobj.Descriptor) *Kernel {
	t.Helper()
	if d.VGPRs == 0 {
		d.VGPRs = 4
	}
	d.FloatMode |= 0xc0 // denormals of f64 and f16: other modes are refused
	k, err := NewKernel(p, "k", &d, p.base)
	require.NoError(t, err)
	return k
}

// pages is a Backing that only counts.
type pages struct {
	next  uint64
	sizes map[uint64]uint64
	fail  error
}

func (p *pages) Alloc(bytes uint64) (uint64, error) {
	if p.fail != nil {
		return 0, p.fail
	}
	if p.sizes == nil {
		p.sizes = map[uint64]uint64{}
	}
	p.next += 1 << 32
	p.sizes[p.next] = bytes
	return p.next, nil
}

func (p *pages) Free(addr uint64) { delete(p.sizes, addr) }

// user SGPR bits of a descriptor's properties.
const allUser = 0x7f

func TestUserAndSystemRegistersComeInTheDescriptorsOrder(t *testing.T) {
	var waves []wave.Wave
	p := program(func(w *wave.Wave) { waves = append(waves, *w); end(w) })
	k := newKernel(t, p, codeobj.Descriptor{
		UserSGPRs: allUser, UserSGPRCount: 16, PrivateSize: 100, PrivateSegment: true,
		WorkgroupIDX: true, WorkgroupIDZ: true, WorkgroupInfo: true,
	})
	backing := &pages{}
	m := NewMachine(encoding.Gfx906, backing)
	d := &Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 2}, Block: [3]uint32{100, 1, 1},
		Kernarg: 0x1111_22223333, Packet: 0x4444_55556666, Queue: 0x7777_88889999, ID: 0xaaaa_bbbbcccc}
	require.NoError(t, m.Run(d))
	require.Len(t, waves, 4)
	for i, w := range waves {
		private := uint32(112) // rounded up to 16
		base := uint64(1)<<32 + uint64(i%2)*uint64(private)*64
		assert.Equal(t, []uint32{
			uint32(base), uint32(base>>32) | 1<<31, private * 64, 1<<23 | 3<<21 | 1<<19 | 0xfac, // private segment buffer
			0x55556666, 0x4444, 0x88889999, 0x7777, 0x22223333, 0x1111, 0xbbbbcccc, 0xaaaa, // dispatch, queue, kernarg, id
			uint32(base), uint32(base >> 32), private, // flat scratch init, private segment size
		}, w.S[:15], "wave %d", i)
		info := uint32(2)
		if i%2 == 0 {
			info |= 1 << 31
		}
		assert.Equal(t, []uint32{0, uint32(i / 2), info, 0}, w.S[16:20], "x, z, info, wave offset of wave %d", i)
	}
	assert.Equal(t, map[uint64]uint64{1 << 32: 2 * 64 * 112}, backing.sizes, "one block of scratch, used again")
}

func TestEmptyDescriptorGivesNothing(t *testing.T) {
	var last wave.Wave
	p := program(func(w *wave.Wave) { last = *w; end(w) })
	m := NewMachine(encoding.Gfx906, &pages{fail: errors.New("not asked for")})
	d := &Dispatch{Kernel: newKernel(t, p, codeobj.Descriptor{}), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Kernarg: 5}
	require.NoError(t, m.Run(d))
	assert.Equal(t, [wave.ExecLo]uint32{}, [wave.ExecLo]uint32(last.S[:wave.ExecLo]))
	assert.Equal(t, uint64(1), last.Exec())
}

func TestModeComesFromTheDescriptor(t *testing.T) {
	for want, d := range map[uint32]codeobj.Descriptor{
		0xf0:        {FloatMode: 0xf0},
		0xc0 | 1<<8: {FloatMode: 0xc0, DX10Clamp: true},
		0xc0 | 1<<9: {IEEE: true},
		0x3d0:       {FloatMode: 0xd0, DX10Clamp: true, IEEE: true},
	} {
		var got uint32
		p := program(func(w *wave.Wave) { got = w.Mode; end(w) })
		require.NoError(t, NewMachine(encoding.Gfx906, nil).Run(&Dispatch{
			Kernel: newKernel(t, p, d), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}))
		assert.Equal(t, want, got)
	}
}

func TestWorkItemIDsAndLastWave(t *testing.T) {
	for ids := uint8(0); ids < 3; ids++ {
		var waves []wave.Wave
		var regs [][]alu.Lanes
		p := program(func(w *wave.Wave) {
			waves = append(waves, *w)
			regs = append(regs, append([]alu.Lanes(nil), w.V...))
			end(w)
		})
		k := newKernel(t, p, codeobj.Descriptor{WorkItemIDs: ids})
		block := [3]uint32{5, 3, 7}
		require.NoError(t, NewMachine(encoding.Gfx900, nil).Run(&Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: block}))
		require.Len(t, waves, 2)
		assert.Equal(t, ^uint64(0), waves[0].Exec())
		assert.Equal(t, uint64(1)<<(105-64)-1, waves[1].Exec())
		for n := range uint32(105) {
			want := [3]uint32{n % 5, n / 5 % 3, n / 15}
			for axis := range 3 {
				if axis > int(ids) {
					want[axis] = 0
				}
				require.Equal(t, want[axis], regs[n/64][axis][n%64], "work-item %d, axis %d", n, axis)
			}
		}
	}
}

func TestDescriptorsThatAreRefused(t *testing.T) {
	p := program(end)
	for want, c := range map[string]struct {
		d     codeobj.Descriptor
		entry uint64
	}{
		"entry point 0x10004 lies outside the code": {codeobj.Descriptor{}, 0x10004},
		"entry point 0x10002 lies outside the code": {codeobj.Descriptor{}, 0x10002},
		"entry point 0xfffc lies outside the code":  {codeobj.Descriptor{}, 0xfffc},
		"waves of 32":                               {codeobj.Descriptor{Wavefront32: true}, 0x10000},
		"fourth work-item id":                       {codeobj.Descriptor{WorkItemIDs: 3}, 0x10000},
		"260 VGPRs, more than the 256 that exist":   {codeobj.Descriptor{VGPRs: 260}, 0x10000},
		"4294967280 bytes of scratch per work-item": {codeobj.Descriptor{PrivateSize: 0xfffffff0}, 0x10000},
	} {
		if c.d.FloatMode == 0 {
			c.d.FloatMode = 0xc0
		}
		_, err := NewKernel(p, "k", &c.d, c.entry)
		require.Error(t, err)
		assert.Contains(t, err.Error(), "kernel k: ")
		assert.Contains(t, err.Error(), want)
	}
}

func TestDescriptorsOfGFX1250(t *testing.T) {
	p := program(end)
	p.t.Chip = encoding.Gfx1250.Wave32()
	k := newKernel(t, p, codeobj.Descriptor{Wavefront32: true, VGPRs: 1024, GroupSize: 320 << 10, UserSGPRCount: 32})
	assert.Equal(t, 1024, k.Registers())
	assert.Equal(t, 2, k.wavesPerUnit(limits[encoding.Gfx1250]))
	p.t.Chip = encoding.Gfx1250
	for want, d := range map[string]codeobj.Descriptor{
		"compiled for waves of 64, which gfx1250 does not have":                                     {},
		"asks for words 2 to 4 of its arguments in scalar registers, and has 16 bytes of arguments": {Wavefront32: true, KernargPreload: 3, PreloadFrom: 2, KernargSize: 16},
		"asks for 29 words of arguments in scalar registers after 5 others, and there are 32":       {Wavefront32: true, KernargPreload: 29, KernargSize: 256, UserSGPRs: uint8(kernargPtr | dispatchID | privateSegmentSize)},
	} {
		p.t.Chip = encoding.Gfx1250.InWaves(d.Wavefront32)
		_, err := NewKernel(p, "k", &d, 0x10000)
		require.ErrorContains(t, err, want)
	}
}

func TestNoScratchIsAnError(t *testing.T) {
	none := errors.New("none left")
	m := NewMachine(encoding.Gfx906, &pages{fail: none})
	k := newKernel(t, program(end), codeobj.Descriptor{PrivateSize: 16})
	err := m.Run(&Dispatch{Kernel: k, Grid: [3]uint32{9, 1, 1}, Block: [3]uint32{64, 1, 1}})
	require.ErrorIs(t, err, none)
	assert.Contains(t, err.Error(), "1024 bytes of scratch for a workgroup of kernel k")
}

func TestPackedWorkItemIDs(t *testing.T) {
	for ids := uint8(0); ids < 3; ids++ {
		var regs []alu.Lanes
		p := program(func(w *wave.Wave) { regs = append(regs, w.V[0], w.V[1]); end(w) })
		p.t.Chip = encoding.Gfx90a
		k := newKernel(t, p, codeobj.Descriptor{WorkItemIDs: ids, AccumOffset: 4})
		block := [3]uint32{5, 3, 7}
		require.NoError(t, NewMachine(encoding.Gfx90a, nil).Run(&Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: block}))
		require.Len(t, regs, 4)
		for n := range uint32(105) {
			want := n % 5
			if ids > 0 {
				want |= n / 5 % 3 << 10
			}
			if ids > 1 {
				want |= n / 15 << 20
			}
			require.Equal(t, want, regs[n/64*2][n%64], "work-item %d of %d ids", n, ids+1)
			require.Zero(t, regs[n/64*2+1][n%64], "v1")
		}
	}
}

func TestFilesOfVectorRegisters(t *testing.T) {
	for _, c := range []struct {
		chip         encoding.Chip
		d            codeobj.Descriptor
		vgprs, agprs int
	}{
		{encoding.Gfx906, codeobj.Descriptor{VGPRs: 24}, 24, 0},
		{encoding.Gfx908, codeobj.Descriptor{VGPRs: 24}, 24, 24},
		{encoding.Gfx90a, codeobj.Descriptor{VGPRs: 24, AccumOffset: 8}, 8, 16},
		{encoding.Gfx90a, codeobj.Descriptor{VGPRs: 24, AccumOffset: 32}, 24, 0},
		{encoding.Gfx942, codeobj.Descriptor{VGPRs: 512, AccumOffset: 256}, 256, 256},
	} {
		var v, a []alu.Lanes
		p := program(func(w *wave.Wave) {
			v, a = w.V, w.A
			w.V[len(w.V)-1][3] = 7
			for n := range w.A {
				require.Zero(t, w.A[n][3], "accumulator %d is another register", n)
			}
			end(w)
		})
		p.t.Chip = c.chip
		k := newKernel(t, p, c.d)
		require.NoError(t, NewMachine(c.chip, nil).Run(&Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}))
		assert.Len(t, v, c.vgprs, "%v", c.chip)
		assert.Len(t, a, c.agprs, "%v", c.chip)
	}
	for want, d := range map[string]codeobj.Descriptor{
		"520 VGPRs, more than the 512":          {VGPRs: 520, AccumOffset: 256},
		"300 VGPRs and 0 AGPRs, more than the ": {VGPRs: 300, AccumOffset: 512},
		"8 VGPRs and 392 AGPRs, more than the ": {VGPRs: 400, AccumOffset: 8},
	} {
		p := program(end)
		p.t.Chip, d.FloatMode = encoding.Gfx942, 0xc0
		_, err := NewKernel(p, "k", &d, p.base)
		require.ErrorContains(t, err, want)
	}
}

func TestArchitectedFlatScratch(t *testing.T) {
	var waves []wave.Wave
	p := program(func(w *wave.Wave) { waves = append(waves, *w); end(w) })
	p.t.Chip = encoding.Gfx942
	k := newKernel(t, p, codeobj.Descriptor{
		AccumOffset: 4, UserSGPRs: uint8(kernargPtr), UserSGPRCount: 2, PrivateSize: 16, PrivateSegment: true, WorkgroupIDX: true, WorkgroupIDY: true,
	})
	d := &Dispatch{Kernel: k, Grid: [3]uint32{1, 2, 1}, Block: [3]uint32{128, 1, 1}, Kernarg: 0x1111_22223333}
	require.NoError(t, NewMachine(encoding.Gfx942, &pages{}).Run(d))
	require.Len(t, waves, 4)
	for i, w := range waves {
		assert.Equal(t, []uint32{0x22223333, 0x1111, 0, uint32(i / 2), 0}, w.S[:5], "kernarg, workgroup ids and no wave offset")
		scratch := uint64(w.S[wave.FlatScratchLo]) | uint64(w.S[wave.FlatScratchHi])<<32
		assert.Equal(t, uint64(1)<<32+uint64(i%2)*16*64, scratch, "wave %d", i)
	}
}

// Storage stays from workgroup to workgroup, and is cleared as far as the next one sees it.
func TestStorageIsClearedAsFarAsAWorkgroupSees(t *testing.T) {
	m := NewMachine(encoding.Gfx906, &pages{sizes: map[uint64]uint64{}})
	p := program(end)
	large, small := newKernel(t, p, codeobj.Descriptor{VGPRs: 32, GroupSize: 4096, PrivateSize: 64}), newKernel(t, p, codeobj.Descriptor{VGPRs: 8, GroupSize: 256})
	g := &group{block: [3]uint32{128, 1, 1}}
	require.NoError(t, m.provide(g, &Dispatch{Kernel: large}))
	lds, vgprs, scratch := g.lds, g.vgprs, g.scratch
	require.Len(t, lds, 4096)
	require.Len(t, vgprs, 2*32)
	for i := range lds {
		lds[i] = 0xff
	}
	for i := range vgprs {
		vgprs[i] = alu.LanesOf(1)
	}
	require.NoError(t, m.provide(g, &Dispatch{Kernel: small, LDS: 128}))
	require.Same(t, &lds[0], &g.lds[0])
	require.Same(t, &vgprs[0], &g.vgprs[0])
	require.Equal(t, scratch, g.scratch)
	assert.Equal(t, make([]byte, 256+128), g.lds)
	assert.EqualValues(t, 0xff, lds[256+128], "and no further")
	assert.Equal(t, make([]alu.Lanes, 2*8), g.vgprs)
	assert.Equal(t, alu.LanesOf(1), vgprs[2*8], "and no further")

	vgprs[7] = alu.LanesOf(1)
	small.lanes = 32
	require.NoError(t, m.provide(g, &Dispatch{Kernel: small}))
	require.Len(t, g.vgprs, 4*8)
	for i := range g.vgprs {
		assert.Equal(t, make([]uint32, 32), g.vgprs[i][:32], "lanes that a wave of 32 has")
	}
	assert.EqualValues(t, 1, vgprs[7][32], "and no others")
}
