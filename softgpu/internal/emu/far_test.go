package emu

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Words of gfx906, as llvm-mc assembles them.
const (
	sNop      = 0xbf800000
	sEndpgm   = 0xbf810000
	sTrap     = 0xbf920002
	callS4    = 0xbe9e1e04 // s_swappc_b64 s[30:31], s[4:5]
	jumpS4    = 0xbe801d04 // s_setpc_b64 s[4:5]
	sReturn   = 0xbe801d1e // s_setpc_b64 s[30:31]
	skipIf    = 0xbf850001 // s_cbranch_scc1 over the next instruction
	skipIfVCC = 0xbf870001 // s_cbranch_vccnz
)

// literal is an instruction with a word after it.
func literal(word uint32, value uint32) []uint32 { return []uint32{word, value} }

func join(parts ...[]uint32) (all []uint32) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func address(at uint64) []uint32 { // into s[4:5]
	return join(literal(0xbe8400ff, uint32(at)), literal(0xbe8500ff, uint32(at>>32)))
}

func nops(n int) []uint32 {
	words := make([]uint32, n)
	for i := range words {
		words[i] = sNop
	}
	return words
}

func bytesOf(words []uint32) (code []byte) {
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	return code
}

// codeMemory is what a device has, by address.
type codeMemory map[uint64][]byte

func (m codeMemory) put(at uint64, parts ...[]uint32) { m[at] = bytesOf(join(parts...)) }

func (m codeMemory) fetch(addr uint64) []byte {
	for at, code := range m {
		if addr >= at && addr < at+uint64(len(code)) {
			return code[addr-at:]
		}
	}
	return nil
}

// runOpen runs a kernel of which nothing is known but where it begins.
func (m codeMemory) runOpen(t *testing.T, entry uint64) (*Program, error) {
	t.Helper()
	code := m.fetch(entry)
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: code[:min(len(code), fetched)], Base: entry, Volatile: true})
	require.NoError(t, err)
	return p, m.run(t, p, entry)
}

func (m codeMemory) run(t *testing.T, p *Program, entry uint64) error {
	t.Helper()
	k, err := NewKernel(p, "k", &codeobj.Descriptor{VGPRs: 8, SGPRs: 40, FloatMode: 0xf0, DX10Clamp: true, IEEE: true}, entry)
	require.NoError(t, err)
	return NewMachine(encoding.Gfx906, nil).Run(&Dispatch{Kernel: k, Grid: [3]uint32{64, 1, 1}, Block: [3]uint32{128, 1, 1}, Fetch: m.fetch})
}

// Code that is larger than what is decoded at once; pieces end within an instruction,
// and where registers are indexed.
func TestCodeGoesOnBehindWhatIsDecoded(t *testing.T) {
	const words = fetched / 4
	m := codeMemory{}
	indexed := []uint32{0xbf110102, 0x7e020302, 0xbf9c0000} // s_set_gpr_idx_on s2; v_mov_b32 v1, v2; s_set_gpr_idx_off
	m.put(0x10000,
		nops(words-1), literal(0xbe8600ff, 0x12345678), // s_mov_b32 s6, a literal
		literal(0xbf06ff06, 0x12345678), []uint32{skipIf, sTrap}, // s_cmp_eq_u32 s6, the literal
		nops(words-7), indexed,
		nops(3*words), address(0x10000+4*(words-1)), []uint32{0xbf060406, skipIf}, // s_cmp_eq_u32 s6, s4: not so
		[]uint32{sEndpgm, sTrap})
	p, err := m.runOpen(t, 0x10000)
	require.NoError(t, err)
	require.InDelta(t, 5, len(p.far.list()), 1)
	pieces := len(p.far.list())
	require.NoError(t, m.run(t, p, 0x10000))
	require.Len(t, p.far.list(), pieces, "it is decoded once")
	require.True(t, p.Far(func(base uint64, bytes int) bool { return base > 0x10000 && bytes > 0 }))
	require.False(t, p.Far(func(uint64, int) bool { return false }))
}

func TestWavesGoWhereverCodeIs(t *testing.T) {
	for name, at := range map[string]uint64{
		"right before": 0x7f0000010000 - 4, "before": 0x7f0000000000, "after": 0x7f0000200000, "far below": 0x1000, "far above": 0x7ff000000000,
	} {
		t.Run(name, func(t *testing.T) {
			m := codeMemory{}
			m.put(at, []uint32{sReturn})
			m.put(0x7f0000010000, address(at), []uint32{callS4, callS4, sEndpgm})
			known, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x7f0000010000], Base: 0x7f0000010000, Ranges: []Range{{"k", 0, 28}}})
			require.NoError(t, err)
			require.NoError(t, m.run(t, known, 0x7f0000010000))
			_, err = m.runOpen(t, 0x7f0000010000)
			require.NoError(t, err)
		})
	}
}

// s_getpc tells where code is, and a branch back leaves its piece on the other side.
func TestFarCodeIsAtItsAddress(t *testing.T) {
	m := codeMemory{}
	const entry, second = 0x100000, 0x7000_0000_0000
	m.put(entry, address(second), []uint32{callS4, sEndpgm})
	m.put(second-8, []uint32{sReturn, sTrap},
		[]uint32{0xbe861c00}, // s_getpc_b64 s[6:7]
		literal(0xbf06ff07, second>>32), []uint32{skipIf, sTrap}, literal(0xbf06ff06, second&0xffffffff+4), []uint32{skipIf, sTrap},
		[]uint32{0xbf82fff4}) // s_branch to second-8
	_, err := m.runOpen(t, entry)
	require.NoError(t, err)
}

// Far code sets MODE: the kernel's text, bound for the usual one, follows it from then on.
func TestTextFollowsTheModeOfFarCode(t *testing.T) {
	m := codeMemory{}
	m.put(0x900000, literal(0xba000801, 1), []uint32{sReturn})         // s_setreg_imm32_b32: round upwards
	add := join(literal(0x7e0402ff, 0x30800000), []uint32{0x020204f2}) // v_mov_b32 v2, 2^-30; v_add_f32 v1, 1.0, v2
	equal := func(want uint32) []uint32 {
		return join(literal(0x7e0602ff, want), []uint32{0x7d940701, skipIfVCC, sTrap}) // v_mov_b32 v3; v_cmp_eq_u32 vcc, v1, v3
	}
	m.put(0x10000, add, equal(0x3f800000), address(0x900000), []uint32{callS4}, add, equal(0x3f800001), []uint32{sEndpgm})
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	require.NoError(t, m.run(t, p, 0x10000))
}

func TestWavesThatGoWhereNoCodeIs(t *testing.T) {
	m := codeMemory{}
	m.put(0x50000, nops(3))
	m.put(0x60000, []uint32{sNop, 0xffffffff})
	for _, c := range []struct {
		to   uint64
		want []string
	}{
		{0, []string{"goes to 0x0,", "no other memory of the GPU", "s_setpc_b64", "k+0x10"}},
		{0x7fff_dead_0000, []string{"goes to 0x7fffdead0000", "the code is from 0x10000 to 0x10018"}},
		{0x50002, []string{"goes to 0x50002", "not the address of a word"}},
		{0x50000, []string{"goes to 0x5000c", "at 0x50000+0x8", "s_nop"}},
		{0x60000, []string{"illegal instruction", "at 0x60004+0x0"}},
		{0x10004, []string{"middle of an instruction", "k+0x4"}},
		{^uint64(3), []string{"goes to 0xfffffffffffffffc"}},
	} {
		m.put(0x10000, address(c.to), []uint32{jumpS4, sEndpgm})
		p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, 24}}})
		require.NoError(t, err)
		err = m.run(t, p, 0x10000)
		require.Error(t, err, "%#x", c.to)
		for _, part := range c.want {
			assert.Contains(t, err.Error(), part, "%#x", c.to)
		}
	}
}

// A wave that has lost its way finds code in any data, but not without end.
func TestFarCodeHasAnEnd(t *testing.T) {
	m := codeMemory{}
	m.put(0x10000, address(0x50000), []uint32{jumpS4, sEndpgm})
	m.put(0x50000, []uint32{sEndpgm})
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, 24}}})
	require.NoError(t, err)
	many := make([]*segment, mostFar)
	for i := range many {
		many[i] = &segment{first: uint32(i+1) * apart}
	}
	p.far.all.Store(&many)
	err = m.run(t, p, 0x10000)
	require.ErrorContains(t, err, "goes to 0x50000")
	require.ErrorContains(t, err, "64 MiB that came before it were taken for code")
}
