package emu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Words of instructions that the software GPU does not execute, and that lead elsewhere.
var (
	unknown = []uint32{0xd97f0000, 0x00000001} // ds_ordered_count v0, v1 gds
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
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: ranges})
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
			text := Text{Chip: encoding.Gfx906, Code: m[base], Base: base, Ranges: []Range{{"k", 0, 0x20}, {"f", 0x20, 0x2c}}}
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
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	require.NoError(t, m.run(t, p, 0x10000))
	require.Nil(t, p.tables[1].Load(), "MODE stays what it is")

	m.put(0x10000, usual, set(1), add, equal(0x3f800001), usual, []uint32{sEndpgm})
	p, err = NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	require.NoError(t, m.run(t, p, 0x10000))
	require.NotNil(t, p.tables[1].Load())
}

// The first wave goes on after the barrier, where the second one, whose MODE is the usual one again, has stopped.
func TestWavesOfAWorkgroupHaveTheirOwnMode(t *testing.T) {
	m := codeMemory{}
	m.put(0x10000,
		literal(0x7e0402ff, 0x30800000),              // v_mov_b32 v2, 2^-30
		literal(0x7e0602ff, 0x3f800001),              // v_mov_b32 v3, 1.0 + 2^-23
		literal(0xba000801, 1),                       // s_setreg_imm32_b32: round upwards
		[]uint32{0x7e0c0500, 0xbf068006, 0xbf850003}, // v_readfirstlane_b32 s6, v0; the first wave skips two instructions
		literal(0xba000801, 0), []uint32{0x7e0602f2}, // s_setreg_imm32_b32: round to nearest; v_mov_b32 v3, 1.0
		[]uint32{0xbf8a0000, 0x020204f2},                // s_barrier; v_add_f32 v1, 1.0, v2
		[]uint32{0x7d940701, skipIfVCC, sTrap, sEndpgm}, // v_cmp_eq_u32 vcc, v1, v3
	)
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	require.NoError(t, m.run(t, p, 0x10000))
}

// Pages are dropped when there are too many, also under waves that are in them.
func TestPagesAreDecodedAgain(t *testing.T) {
	m := codeMemory{}
	skip := join([]uint32{0xbf820000 | (pageWords - 1)}, nops(pageWords-1)) // s_branch to the next page
	m.put(0x10000, skip, skip, skip, []uint32{sEndpgm})
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"k", 0, uint32(len(m[0x10000]))}}})
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, m.run(t, p, 0x10000))
		require.Equal(t, 4, decoded(&p.segment))
		require.Equal(t, int64(4), p.made.Load())
		p.tables[0].Store(nil)
		p.made.Store(mostPages - 2) // the third page is one too many
	}
}

// runOn runs a kernel as the next dispatch of a machine.
func (m codeMemory) runOn(machine *Machine, k *Kernel) error {
	return machine.Run(&Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}, Fetch: m.fetch})
}

func (m codeMemory) volatile(t *testing.T, base uint64, parts ...[]uint32) (*Program, *Kernel) {
	t.Helper()
	m.put(base, parts...)
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[base], Base: base, Volatile: true, Ranges: []Range{{"k", 0, uint32(len(m[base]))}}})
	require.NoError(t, err)
	k, err := kernelOf(p, base, false)
	require.NoError(t, err)
	return p, k
}

// The literal of an instruction lies in the next page, where nothing begins at its word.
func TestInstructionsLieAcrossPages(t *testing.T) {
	const base, value = 0x10000, 0x12345678
	isValue := join(literal(0xbf06ff06, value), []uint32{skipIf, sTrap}) // s_cmp_eq_u32 s6
	for _, jump := range []bool{false, true} {
		end := []uint32{sEndpgm}
		if jump {
			end = join(address(base+pageBytes), []uint32{jumpS4})
		}
		m := codeMemory{}
		_, k := m.volatile(t, base, nops(pageWords-1), literal(0xbe8600ff, value), isValue, end)
		machine := NewMachine(encoding.Gfx906, nil)
		err := m.runOn(machine, k)
		if jump {
			require.ErrorContains(t, err, "middle of an instruction")
			continue
		}
		require.NoError(t, err)
		for _, to := range []uint32{value, 1} { // only the literal changes: page 0 is made of it too
			copy(m[base][pageBytes:], bytesOf([]uint32{to}))
			err = m.runOn(machine, k)
			require.Equal(t, to == value, err == nil, "%v", err)
		}
	}
}

// Where instructions begin in a page depends on those before it, which may have changed
// without a change of the page.
func TestChangedCodeMovesTheInstructionsOfTheNextPage(t *testing.T) {
	const base = 0x10000
	set := uint32(0xbe8600ff)                                                     // s_mov_b32 s6, a literal
	last := func(page int) int { return 4 * ((page+1)*pageWords - 1) }            // byte of a page's last word
	to := func(from, word int) uint32 { return 0xbf820000 | uint32(word-from-1) } // s_branch
	store := func(m codeMemory, at int, word uint32) { copy(m[base][at:], bytesOf([]uint32{word})) }

	m := codeMemory{}
	_, k := m.volatile(t, base, nops(pageWords-1), []uint32{set, sNop, sEndpgm})
	machine := NewMachine(encoding.Gfx906, nil)
	require.NoError(t, m.runOn(machine, k))
	store(m, last(0), sNop)
	require.NoError(t, m.runOn(machine, k), "the literal is an instruction now")
	store(m, last(0), set)
	require.NoError(t, m.runOn(machine, k))

	// The page that changes was never decoded, only read.
	m = codeMemory{}
	_, k = m.volatile(t, base, []uint32{sEndpgm}, nops(2*pageWords-2), []uint32{set, sNop, sEndpgm})
	require.NoError(t, m.runOn(machine, k))
	store(m, last(1), sNop)
	store(m, 0, to(0, 2*pageWords))
	require.NoError(t, m.runOn(machine, k))
}

// Dispatches that run at once decode, compare and drop the same pages.
func TestPagesOfConcurrentDispatches(t *testing.T) {
	const base, pages = 0x10000, 8
	skip := join([]uint32{0xbf820000 | (pageWords - 1)}, nops(pageWords-1)) // s_branch to the next page
	var code []uint32
	for range pages {
		code = append(code, skip...)
	}
	m := codeMemory{}
	p, k := m.volatile(t, base, code, []uint32{sEndpgm})
	machine := NewMachine(encoding.Gfx906, nil)
	failed := make(chan error, 4)
	for range cap(failed) {
		go func() {
			for range 50 {
				p.made.Store(mostPages - pages/2)
				if err := machine.Run(&Dispatch{Kernel: k, Grid: [3]uint32{256, 1, 1}, Block: [3]uint32{64, 1, 1}}); err != nil {
					failed <- err
					return
				}
				p.Holds(base)
			}
			failed <- nil
		}()
	}
	for range cap(failed) {
		require.NoError(t, <-failed)
	}
}

// A wave has fewer registers than instructions can name. Of a run, the one that names another
// is to blame.
func TestAFaultInsideOfARunIsThatOfItsInstruction(t *testing.T) {
	m := codeMemory{}
	m.put(0x10000, []uint32{0x7e000280, 0x7e020280, 0x7f900280, 0x7e040280, sEndpgm}) // v_mov_b32 v0, v1, v200, v2, 0
	p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: []Range{{"f", 0, 20}}})
	require.NoError(t, err)
	var f *Fault
	require.ErrorAs(t, m.run(t, p, 0x10000), &f)
	require.Equal(t, "v_mov_b32_e32 v200, 0", f.Instruction)
	require.EqualValues(t, 8, f.Offset)
}

// TestRunsBeginWhereKernelsDo has a kernel after another one's end and the words that fill the gap.
func TestRunsBeginWhereKernelsDo(t *testing.T) {
	if !alu.HasRuns {
		t.Skip("this processor has no AVX2: instructions run one by one")
	}
	const nop = 0xbf800000
	m := codeMemory{}
	m.put(0x10000, []uint32{sEndpgm, nop, nop, 0x7e000280, 0x7e020280, sEndpgm}) // v_mov_b32 v0, v1, 0; s_endpgm is the run's last
	for _, ranges := range [][]Range{nil, {{"f", 0, 4}, {"g", 12, 24}}} {
		p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: m[0x10000], Base: 0x10000, Ranges: ranges})
		require.NoError(t, err)
		require.NoError(t, m.run(t, p, 0x10000))
		require.NoError(t, m.run(t, p, 0x1000c))
		slots := (*p.tables[0].Load())[0].Load().slots
		require.EqualValues(t, 3, slots[3].count)
	}
}
