package emu

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/soft/gcn"
)

// program is a text of steps made by hand: word n runs step n.
func program(steps ...gcn.Step) *Program {
	p := &Program{base: 0x10000, modes: true, code: make([]byte, 4*len(steps)), ranges: []Range{{"k", 0, uint32(4 * len(steps))}}}
	for i, s := range steps {
		p.slots = append(p.slots, slot{s, uint32(i) + 1})
	}
	return p
}

func end(w *gcn.Wave) { w.Status = gcn.Ended }

func barrier(w *gcn.Wave) { w.Status = gcn.AtBarrier }

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
	var waves []gcn.Wave
	p := program(func(w *gcn.Wave) { waves = append(waves, *w); end(w) })
	k := newKernel(t, p, codeobj.Descriptor{
		Properties: allUser, UserSGPRCount: 16, PrivateSize: 100, PrivateSegment: true,
		WorkgroupIDX: true, WorkgroupIDZ: true, WorkgroupInfo: true,
	})
	backing := &pages{}
	m := NewMachine(gcn.Gfx906, backing)
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
	var wave gcn.Wave
	p := program(func(w *gcn.Wave) { wave = *w; end(w) })
	m := NewMachine(gcn.Gfx906, &pages{fail: errors.New("not asked for")})
	d := &Dispatch{Kernel: newKernel(t, p, codeobj.Descriptor{}), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{1, 1, 1}, Kernarg: 5}
	require.NoError(t, m.Run(d))
	assert.Equal(t, [gcn.ExecLo]uint32{}, [gcn.ExecLo]uint32(wave.S[:gcn.ExecLo]))
	assert.Equal(t, uint64(1), wave.Exec())
}

func TestModeComesFromTheDescriptor(t *testing.T) {
	for want, d := range map[uint32]codeobj.Descriptor{
		0xf0:        {FloatMode: 0xf0},
		0xc0 | 1<<8: {FloatMode: 0xc0, DX10Clamp: true},
		0xc0 | 1<<9: {IEEE: true},
		0x3d0:       {FloatMode: 0xd0, DX10Clamp: true, IEEE: true},
	} {
		var got uint32
		p := program(func(w *gcn.Wave) { got = w.Mode; end(w) })
		require.NoError(t, NewMachine(gcn.Gfx906, nil).Run(&Dispatch{
			Kernel: newKernel(t, p, d), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}))
		assert.Equal(t, want, got)
	}
}

func TestWorkItemIDsAndLastWave(t *testing.T) {
	for ids := uint8(0); ids < 3; ids++ {
		var waves []gcn.Wave
		var regs [][]gcn.Lanes
		p := program(func(w *gcn.Wave) {
			waves = append(waves, *w)
			regs = append(regs, append([]gcn.Lanes(nil), w.V...))
			end(w)
		})
		k := newKernel(t, p, codeobj.Descriptor{WorkItemIDs: ids})
		block := [3]uint32{5, 3, 7}
		require.NoError(t, NewMachine(gcn.Gfx900, nil).Run(&Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: block}))
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

func TestNoScratchIsAnError(t *testing.T) {
	none := errors.New("none left")
	m := NewMachine(gcn.Gfx906, &pages{fail: none})
	k := newKernel(t, program(end), codeobj.Descriptor{PrivateSize: 16})
	err := m.Run(&Dispatch{Kernel: k, Grid: [3]uint32{9, 1, 1}, Block: [3]uint32{64, 1, 1}})
	require.ErrorIs(t, err, none)
	assert.Contains(t, err.Error(), "1024 bytes of scratch for a workgroup of kernel k")
}
