package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/soft/gcn"
)

// Words of instructions that the software GPU does not execute, and that lead elsewhere.
var (
	unknown = []uint32{0xd8fc0000, 0x00000002} // ds_condxchg32_rtn_b64 v[0:1], v2, v[0:1]
	getPC   = uint32(0xbe841c00)               // s_getpc_b64 s[4:5]
)

// addressAfter is code that puts an address into s[4:5], relative to itself, which is at.
func addressAfter(at, to uint64) []uint32 {
	d := to - (at + 4)
	return []uint32{getPC, 0x8004ff04, uint32(d), 0x8205ff05, uint32(d >> 32)} // s_add_u32, s_addc_u32
}

func kernelOf(p *Program, entry uint64, dynamic bool) (*Kernel, error) {
	return NewKernel(p, "k", &codeobj.Descriptor{VGPRs: 8, SGPRs: 40, FloatMode: 0xf0, DX10Clamp: true, IEEE: true, UsesDynamicStack: dynamic}, entry)
}

func decoded(s *segment) (pages int) {
	for i := range s.tables {
		if t := s.tables[i].Load(); t != nil {
			for n := range *t {
				if (*t)[n].Load() != nil {
					pages++
				}
			}
		}
	}
	return pages
}

// Of a text of many kernels, those that run cost something.
func TestCodeIsDecodedWhereWavesGetTo(t *testing.T) {
	const kernels, size = 64, 2 * pageBytes
	m, text, ranges := codeMemory{}, []uint32{}, []Range{}
	for n := range uint32(kernels) {
		ranges = append(ranges, Range{"f", n * size, (n + 1) * size})
		text = append(text, join([]uint32{sEndpgm}, nops(2*pageWords-1))...)
	}
	m.put(0x10000, text)
	p, err := NewProgram(Text{Chip: gcn.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: ranges})
	require.NoError(t, err)
	require.Empty(t, p.units)
	require.Zero(t, decoded(&p.segment))
	for n := range 3 {
		require.NoError(t, m.run(t, p, 0x10000+uint64(n)*size))
		require.Len(t, p.units, n+1)
		require.Equal(t, n+1, decoded(&p.segment), "one of the kernel's two pages, for the usual MODE")
	}
}

func TestKernelsAreRefusedForWhatTheyCanReach(t *testing.T) {
	const base, table = 0x10000, 0x90000
	ends := []uint32{sEndpgm}
	for name, c := range map[string]struct {
		first             []uint32 // the kernel, followed by the function with the unknown instruction
		word, data        bool
		dynamic, expected bool
	}{
		"nothing":                        {first: ends},
		"by the address":                 {first: join(addressAfter(base, base+0x20), []uint32{callS4}, ends), expected: true},
		"by the table of addresses":      {first: join(addressAfter(base, table), []uint32{callS4}, ends), word: true, expected: true},
		"by no such table":               {first: join(addressAfter(base, table), []uint32{callS4}, ends)},
		"by data, which it does not use": {first: ends, data: true},
		"by data":                        {first: ends, data: true, dynamic: true, expected: true},
	} {
		t.Run(name, func(t *testing.T) {
			m := codeMemory{}
			m.put(base, c.first, nops(8-len(c.first)), unknown, ends)
			text := Text{Chip: gcn.Gfx906, Code: m[base], Base: base, Ranges: []Range{{"k", 0, 0x20}, {"f", 0x20, 0x2c}}}
			if c.word {
				text.Word = func(addr uint64) (uint64, bool) { return base + 0x20, addr == table }
			}
			if c.data {
				text.Indirect = []uint64{base + 0x20}
			}
			p, err := NewProgram(text)
			require.NoError(t, err)
			_, err = kernelOf(p, base, c.dynamic)
			if !c.expected {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, "f+0x0: instruction `")
			require.ErrorContains(t, err, "has no meaning on this device")
			text.Late = true
			p, err = NewProgram(text)
			require.NoError(t, err)
			_, err = kernelOf(p, base, c.dynamic)
			require.NoError(t, err)
		})
	}
}

// Only what runs in an unusual MODE is bound for it.
func TestCodeIsBoundForTheModeThatItRunsIn(t *testing.T) {
	set := func(round uint32) []uint32 { return literal(0xba000801, round) } // s_setreg_imm32_b32 of the two bits of f32
	add := join(literal(0x7e0402ff, 0x30800000), []uint32{0x020204f2})       // v_mov_b32 v2, 2^-30; v_add_f32 v1, 1.0, v2
	equal := func(want uint32) []uint32 {
		return join(literal(0x7e0602ff, want), []uint32{0x7d940701, skipIfVCC, sTrap}) // v_mov_b32 v3; v_cmp_eq_u32 vcc, v1, v3
	}
	m := codeMemory{}
	usual := join(set(0), add, equal(0x3f800000))
	m.put(0x10000, usual, []uint32{sEndpgm})
	p, err := NewProgram(Text{Chip: gcn.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	require.NoError(t, m.run(t, p, 0x10000))
	require.Nil(t, p.tables[1].Load(), "MODE stays what it is")

	m.put(0x10000, usual, set(1), add, equal(0x3f800001), usual, []uint32{sEndpgm})
	p, err = NewProgram(Text{Chip: gcn.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	require.NoError(t, m.run(t, p, 0x10000))
	require.NotNil(t, p.tables[1].Load())
}

// Pages are dropped when there are too many, also under waves that are in them.
func TestPagesAreDecodedAgain(t *testing.T) {
	m := codeMemory{}
	skip := join([]uint32{0xbf820000 | (pageWords - 1)}, nops(pageWords-1)) // s_branch to the next page
	m.put(0x10000, skip, skip, skip, []uint32{sEndpgm})
	p, err := NewProgram(Text{Chip: gcn.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, m.run(t, p, 0x10000))
		require.Equal(t, 4, decoded(&p.segment))
		require.Equal(t, int64(4), p.made.Load())
		p.tables[0].Store(nil)
		p.made.Store(mostPages - 2) // the third page is one too many
	}
}
