package rows

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/bind"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// needRuns skips a test where no run is executed.
func needRuns(t *testing.T) {
	if !alu.HasRuns {
		t.Skip("this processor has no AVX2: instructions run one by one")
	}
}

// partsOf are the instructions of the golden files that run as parts, their steps and those parts.
func partsOf(t *testing.T, chip encoding.Chip) (texts []string, single []encoding.Step, all []*encoding.Part) {
	for _, g := range readGolden(t, chip) {
		i, err := Decode(g.code, 0, chip)
		require.NoError(t, err)
		if i.Row.Do == nil {
			continue
		}
		step, part := BindPart(&i)
		if part != nil {
			require.NotNil(t, step)
			texts, single, all = append(texts, g.text), append(single, step), append(all, part)
		}
	}
	return texts, single, all
}

// twins are two waves of a chip's with the same registers as w, which get other awkward values each time.
func twins(r *rand.Rand, w *wave.Wave, chip encoding.Chip) (a, b *wave.Wave) {
	for n := range w.V {
		w.V[n][r.IntN(64)] = awkward[r.IntN(len(awkward))]
	}
	w.S[r.IntN(102)] = awkward[r.IntN(len(awkward))]
	w.SCC = r.Uint32N(2)
	copied := func() *wave.Wave {
		c := new(wave.Wave)
		*c = *w
		c.V = append([]alu.Lanes(nil), w.V...)
		return c
	}
	a, b = copied(), copied()
	mode, exec, count := uint32(alu.UsualMode|alu.Denorms32), uint64(alu.Full), len(w.V)
	switch r.IntN(8) {
	case 0:
		exec = r.Uint64()
	case 1:
		mode &^= alu.Denorms32
	case 2:
		count = 1 + r.IntN(count)
	}
	for _, w := range []*wave.Wave{a, b} {
		w.V, w.Mode = w.V[:count], mode
		w.SetExec(exec >> (64 - sizeOf(w, chip)))
	}
	return a, b
}

// sizeOf makes the wave one of the chip's, and returns how many lanes those have.
func sizeOf(w *wave.Wave, chip encoding.Chip) int {
	w.SetSize(chip.IsWave32())
	return w.Lanes()
}

var awkward = []uint32{0, 1, 1 << 31, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x00000001, 0x80000001, 0xffffffff, 0x3f800000}

// outcome runs steps, the first of which is at word 0 and each of which has one, up to a branch that is taken
// or a register that the wave does not have. It returns how many instructions that were.
func outcome(w *wave.Wave, steps ...encoding.Step) (executed int, panicked bool) {
	defer func() { panicked = recover() != nil }()
	for n := 0; n < len(steps) && w.Status == wave.Running; n++ {
		w.PC = uint32(n + 1)
		if steps[n](w); w.PC != uint32(n+1) {
			return n + 1, false
		}
	}
	return len(steps), false
}

// TestRunsDoWhatTheirStepsDo compares runs, of one instruction each and of many, with their
// instructions one by one: all registers, and where a wave stops.
func TestRunsDoWhatTheirStepsDo(t *testing.T) {
	needRuns(t)
	r := rand.New(rand.NewPCG(1, 1))
	w := randomWave(r)
	for len(w.V) < 256 {
		w.V = append(w.V, w.V...)
	}
	for _, chip := range []encoding.Chip{encoding.Gfx906, encoding.Gfx950, encoding.Gfx1030.Wave32(), encoding.Gfx1100, encoding.Gfx1100.Wave32()} {
		texts, single, all := partsOf(t, chip)
		require.Greater(t, len(all), 500, "of %s", chipName(chip))
		count := 2*len(all) + 500
		if testing.Short() {
			count = len(all) + 200 // each by itself, and some together
		}
		for n := range count {
			run := bind.Run{Start: 1 << 30} // no branch goes there
			var steps []encoding.Step
			var said []string
			for k := range 1 + n/len(all)*r.IntN(20) {
				at := n
				if n >= len(all) {
					at = r.IntN(len(all))
				}
				run.Add(all[at], uint32(k+1))
				steps, said = append(steps, single[at]), append(said, texts[at])
				if all[at].Always {
					break
				}
			}
			a, b := twins(r, w, chip)
			executed, stopped := outcome(a, steps...)
			_, alsoStopped := outcome(b, run.Step())
			require.Equal(t, stopped, alsoStopped, "%q", said)
			if stopped {
				continue
			}
			require.Equal(t, executed, len(steps)+b.Repeated, "%s: instructions of %q", chipName(chip), said)
			require.Equal(t, a.PC, b.PC, "%s: where %q goes", chipName(chip), said)
			copy(a.S[wave.NullWritten:wave.NullRead], b.S[wave.NullWritten:]) // what goes to null is never read
			if !assert.True(t, a.S == b.S && a.SCC == b.SCC && a.Status == b.Status, "%s: scalar registers of %q", chipName(chip), said) {
				return
			}
			for v := range a.V { // of lanes that do not exist, ops and steps make other things
				if !slices.Equal(a.V[v][:a.Lanes()], b.V[v][:a.Lanes()]) {
					require.Fail(t, "vector registers differ", "%s: v%d of %q", chipName(chip), v, said)
				}
			}
		}
	}
}

// TestRunsLoadAndStoreWhatTheirStepsDo compares accesses to memory and LDS, at addresses of all
// shapes: in a row, one, in two rows, and some that are out of range.
func TestRunsLoadAndStoreWhatTheirStepsDo(t *testing.T) {
	testRunsLoadAndStore(t, encoding.Gfx906, map[string][]uint32{
		"ds_read_b32 v2, v1 offset:8":                 {0xd86c0008, 0x02000001},
		"ds_read_b32 v1, v1":                          {0xd86c0000, 0x01000001},
		"ds_read2_b32 v[2:3], v1 offset1:3":           {0xd86e0300, 0x02000001},
		"ds_read2_b32 v[1:2], v1 offset1:3":           {0xd86e0300, 0x01000001},
		"ds_read2_b32 v[0:1], v1 offset0:1 offset1:3": {0xd86e0301, 0x00000001},
		"ds_write_b32 v1, v4 offset:8":                {0xd81a0008, 0x00000401},
		"ds_write2_b32 v1, v4, v5 offset1:3":          {0xd81c0300, 0x00050401},
		"ds_write2_b32 v1, v5, v4 offset0:1":          {0xd81c0001, 0x00040501},
		"global_load_dword v2, v[8:9], off offset:8":  {0xdc508008, 0x027f0008},
		"global_load_dword v9, v[8:9], off":           {0xdc508000, 0x097f0008},
		"global_load_dword v2, v1, s[2:3] offset:8":   {0xdc508008, 0x02020001},
		"global_store_dword v[8:9], v4, off offset:8": {0xdc708008, 0x007f0408},
		"global_store_dword v1, v4, s[2:3] offset:8":  {0xdc708008, 0x00020401},
		"global_load_dword v2, v1, s[2:3] offset:-4":  {0xdc509ffc, 0x02020001},
		"ds_read_b64 v[2:3], v1 offset:8":             {0xd8ec0008, 0x02000001},
		"ds_read_b64 v[0:1], v1 offset:8":             {0xd8ec0008, 0x00000001},
		"ds_read_b128 v[2:5], v1 offset:16":           {0xd9fe0010, 0x02000001},
		"ds_read2_b64 v[2:5], v1 offset1:3":           {0xd8ee0300, 0x02000001},
		"ds_read2_b32 v[2:3], v1 offset1:3; ds_read2_b32 v[4:5], v1 offset0:7 offset1:2; ds_read_b128 v[6:9], v1 offset:8; ds_read_b64 v[4:5], v1 offset:12": {
			0xd86e0300, 0x02000001, 0xd86e0207, 0x04000001, 0xd9fe0008, 0x06000001, 0xd8ec000c, 0x04000001,
		},
		"ds_read2_b32 v[2:3], v1 offset1:3; ds_read2_b32 v[4:5], v1 offset0:7 offset1:2; ds_read2_b32 v[0:1], v1 offset0:7 offset1:2": {
			0xd86e0300, 0x02000001, 0xd86e0207, 0x04000001, 0xd86e0207, 0x00000001,
		},
	})
}

// TestRunsOf32LanesLeaveTheOthersAlone does so in waves of 32, with addresses of lanes that do not
// exist that go on with the row of those that do.
func TestRunsOf32LanesLeaveTheOthersAlone(t *testing.T) {
	testRunsLoadAndStore(t, encoding.Gfx1100.Wave32(), map[string][]uint32{
		"ds_load_b32 v2, v1 offset:8":                      {0xd8d80008, 0x02000001},
		"ds_load_b32 v1, v1":                               {0xd8d80000, 0x01000001},
		"ds_load_2addr_b32 v[2:3], v1 offset1:3":           {0xd8dc0300, 0x02000001},
		"ds_load_2addr_b32 v[1:2], v1 offset1:3":           {0xd8dc0300, 0x01000001},
		"ds_load_2addr_b32 v[0:1], v1 offset0:1 offset1:3": {0xd8dc0301, 0x00000001},
		"ds_store_b32 v1, v4 offset:8":                     {0xd8340008, 0x00000401},
		"ds_store_2addr_b32 v1, v4, v5 offset1:3":          {0xd8380300, 0x00050401},
		"ds_store_2addr_b32 v1, v5, v4 offset0:1":          {0xd8380001, 0x00040501},
		"global_load_b32 v2, v[8:9], off offset:8":         {0xdc520008, 0x027c0008},
		"global_load_b32 v9, v[8:9], off":                  {0xdc520000, 0x097c0008},
		"global_load_b32 v2, v1, s[2:3] offset:8":          {0xdc520008, 0x02020001},
		"global_store_b32 v[8:9], v4, off offset:8":        {0xdc6a0008, 0x007c0408},
		"global_store_b32 v1, v4, s[2:3] offset:8":         {0xdc6a0008, 0x00020401},
		"global_load_b32 v2, v1, s[2:3] offset:-4":         {0xdc521ffc, 0x02020001},
		"ds_load_b64 v[2:3], v1 offset:8":                  {0xd9d80008, 0x02000001},
		"ds_load_b64 v[0:1], v1 offset:8":                  {0xd9d80008, 0x00000001},
		"ds_load_b128 v[2:5], v1 offset:16":                {0xdbfc0010, 0x02000001},
		"ds_load_2addr_b64 v[2:5], v1 offset1:3":           {0xd9dc0300, 0x02000001},
		"ds_load_2addr_b32 v[2:3], v1 offset1:3; ds_load_2addr_b32 v[4:5], v1 offset0:7 offset1:2; ds_load_b128 v[6:9], v1 offset:8; ds_load_b64 v[4:5], v1 offset:12": {
			0xd8dc0300, 0x02000001, 0xd8dc0207, 0x04000001, 0xdbfc0008, 0x06000001, 0xd9d8000c, 0x04000001,
		},
		"ds_load_2addr_b32 v[2:3], v1 offset1:3; ds_load_2addr_b32 v[4:5], v1 offset0:7 offset1:2; ds_load_2addr_b32 v[0:1], v1 offset0:7 offset1:2": {
			0xd8dc0300, 0x02000001, 0xd8dc0207, 0x04000001, 0xd8dc0207, 0x00000001,
		},
	})
}

// TestRunsLoadScalarsAsTheirStepsDo compares loads of all sizes, with and without an offset in a register, at addresses
// that need rounding, that end with the memory and that are past it, in windows that are known or not.
func TestRunsLoadScalarsAsTheirStepsDo(t *testing.T) {
	needRuns(t)
	r := rand.New(rand.NewPCG(3, 3))
	m := &samples.Memory{}
	data, base := m.Add(256, true)
	samples.Fill(data)
	for _, name := range []string{"s_load_dword", "s_load_dwordx2", "s_load_dwordx4", "s_load_dwordx8", "s_load_dwordx16"} {
		for _, to := range []uint32{16, 8} { // beside the base, and over it
			for _, inRegister := range []bool{false, true} {
				words := smem(t, name, to, 10, 20)
				if inRegister {
					words[0], words[1] = words[0]|1<<14, words[1]|14<<25
				}
				step, part := BindPart(instOf(t, encoding.Gfx906, words))
				require.NotNil(t, part, name)
				ended := 0
				for n := range 200 {
					w := randomWave(r)
					w.Mem = m
					w.SetS64(10, base+r.Uint64N(260)-20)
					w.S[14] = uint32(r.IntN(16))
					if n%4 != 0 {
						w.Reach(base, 4, false)
					}
					a, b, c := *w, *w, *w
					step(&a)
					var x bind.Run
					x.Add(part, 1)
					x.Step()(&b)
					require.Equal(t, a.Status, b.Status, name)
					require.Equal(t, a.S, b.S, name)
					if budget := 0; c.RunOps(&x.Whole.Ops[0], &budget) == alu.RunEnded {
						ended++
						require.Equal(t, a.S, c.S, name)
					}
				}
				require.Greater(t, ended, 60, "%s: hardly ever done by its op", name)
			}
		}
	}
}

// TestRunsOfOffsetsThatGoOverTheEndOf32Bits has eight lanes in between whose words would be a row, if the offsets did
// not begin at 0 again.
func TestRunsOfOffsetsThatGoOverTheEndOf32Bits(t *testing.T) {
	needRuns(t)
	m := &samples.Memory{}
	base, unmap, err := m.AddLarge()
	require.NoError(t, err)
	defer func() { require.NoError(t, unmap()) }()
	w := newWave()
	w.Mem = m
	w.SetS64(2, base)
	w.Reach(base, 4, true)
	w.Reach(base, 4, false)
	for l := range w.V[1] {
		w.V[1][l], w.V[4][l] = uint32(128+4*l), uint32(1+l)
		if l/8 == 3 {
			w.V[1][l] = uint32(4*(l%8) - 16)
		}
	}
	for _, words := range [][]uint32{global(t, "global_store_dword", 0, 1, 4, 2, 0), global(t, "global_load_dword", 5, 1, 0, 2, 0)} {
		_, part := BindPart(instOf(t, encoding.Gfx906, words))
		require.NotNil(t, part)
		var x bind.Run
		x.Add(part, 1)
		x.Step()(w)
		require.Equal(t, wave.Running, w.Status)
		for l, at := range w.V[1] {
			require.Equal(t, uint32(1+l), memory.Load32(base+uint64(at)), l)
		}
	}
	require.Equal(t, w.V[4], w.V[5])
}

// partsOfWords returns the steps and the parts of instructions, whose text has semicolons between them.
func partsOfWords(t *testing.T, chip encoding.Chip, text string, words []uint32) (steps []encoding.Step, parts []*encoding.Part) {
	t.Helper()
	var said []string
	for len(words) > 0 {
		i := instOf(t, chip, words)
		step, part := BindPart(i)
		require.NotNil(t, part, text)
		steps, parts, said, words = append(steps, step), append(parts, part), append(said, i.String()), words[i.Size/4:]
	}
	require.Equal(t, text, strings.Join(said, "; "))
	return steps, parts
}

// TestRunsLoadWordsOfLDSAtTheSameOffsetsByOneOp has sequences of loads, of which some have an op before them that does their work.
func TestRunsLoadWordsOfLDSAtTheSameOffsetsByOneOp(t *testing.T) {
	needRuns(t)
	pair := func(to, at uint32) []uint32 { return []uint32{0xd86e0300, to<<24 | at} }
	wide := func(to, at uint32) []uint32 { return []uint32{0xd9fe0000, to<<24 | at} }
	for _, c := range []struct {
		name   string
		loads  [][]uint32
		shared []int // loads of each such op, in the order of the run
	}{
		{"one pair", [][]uint32{pair(2, 1)}, nil},
		{"two pairs", [][]uint32{pair(2, 1), pair(4, 1)}, []int{2}},
		{"four words", [][]uint32{wide(2, 1)}, []int{2}},
		{"two and four words", [][]uint32{pair(6, 1), wide(2, 1)}, []int{3}},
		{"two registers of offsets", [][]uint32{pair(2, 1), pair(4, 1), pair(6, 0), pair(8, 0), pair(10, 0)}, []int{2, 3}},
		{"in turns", [][]uint32{pair(2, 1), pair(4, 0), pair(6, 1), pair(8, 0)}, nil},
		{"the offsets are overwritten", [][]uint32{pair(2, 1), pair(4, 1), pair(1, 1), pair(6, 1)}, []int{2}},
		{"by a second word", [][]uint32{pair(2, 1), pair(0, 1), pair(4, 1), pair(6, 1)}, []int{2}},
	} {
		run := bind.Run{Start: 1 << 30}
		for n, words := range c.loads {
			_, part := BindPart(instOf(t, encoding.Gfx906, words))
			require.NotNil(t, part, c.name)
			run.Add(part, uint32(n+1))
		}
		run.Step()
		var shared []int
		load := alu.Nearer(alu.Op{Code: alu.Code(alu.OpLoadLDS2), File: [8]uint8{alu.Vectors, alu.Vectors}}).Code
		for _, op := range run.Whole.Ops {
			if op.Code != load && op.Code != alu.Code(alu.OpEnd) {
				shared = append(shared, int(op.At[alu.LoadsCount]))
			}
		}
		require.Equal(t, c.shared, shared, c.name)
	}
}

func testRunsLoadAndStore(t *testing.T, chip encoding.Chip, accesses map[string][]uint32) {
	needRuns(t)
	r := rand.New(rand.NewPCG(2, 2))
	m := &samples.Memory{}
	first, low := m.Add(4096, true)
	second, other := m.Add(4096, true)
	for text, words := range accesses {
		steps, parts := partsOfWords(t, chip, text, words)
		declined, stepped := 0, 0
		for n := range 600 {
			w := randomWave(r)
			lanes := sizeOf(w, chip)
			w.SetExec(alu.Full >> (64 - lanes))
			some := n >= 400 // not all lanes are active
			if some {
				w.SetExec(w.Exec() & r.Uint64())
			}
			offset := uint32(r.IntN(1000)) &^ 3
			for l := range w.V[1] {
				switch by := uint32(l); n % 8 {
				case 0, 1, 2:
					w.V[1][l] = offset + 4*by
				case 3:
					w.V[1][l] = offset
				case 4:
					w.V[1][l] = offset + by/16*128 + by%16*4
				case 5:
					w.V[1][l] = offset + 4*uint32(r.IntN(64))
				case 6:
					w.V[1][l] = uint32(r.IntN(4200)) &^ 3
				default:
					w.V[1][l] = offset - 32 + 4*by
				}
			}
			base := low
			if n%16 > 8 {
				base = other
			}
			w.S[2], w.S[3] = uint32(base), uint32(base>>32)
			for l := range w.V[1] {
				at := base + uint64(w.V[1][l])
				w.V[8][l], w.V[9][l] = uint32(at), uint32(at>>32)
			}
			if n%50 == 49 {
				w.V[9][lanes-1]++
			}
			w.Mem = m
			for k := range first {
				first[k], second[k] = byte(r.Uint32()), byte(r.Uint32())
			}
			lds := make([]byte, 4096)
			copy(lds, second)
			if n%4 != 0 { // windows are known
				w.Reach(other, 4, true)
				w.Reach(other, 4, false)
				w.Reach(low, 4, true)
				w.Reach(low, 4, false)
			}
			var waves [2]*wave.Wave
			var memory [2][]byte
			for k := range waves {
				c := new(wave.Wave)
				*c = *w
				c.V, c.LDS = append([]alu.Lanes(nil), w.V...), append([]byte(nil), lds...)
				before := append(append([]byte(nil), first...), second...)
				run := func() {
					if k == 0 {
						outcome(c, steps...)
						return
					}
					var x bind.Run
					for n, part := range parts {
						if some {
							counted := *part
							step := part.Step
							counted.Step = func(w *wave.Wave) { stepped++; step(w) }
							part = &counted
						}
						x.Add(part, uint32(n+1))
					}
					budget := 0
					if x.Step(); !some && c.RunOps(&x.Whole.Ops[0], &budget) != alu.RunEnded {
						declined++
					}
					*c = *w
					c.V, c.LDS = append([]alu.Lanes(nil), w.V...), append([]byte(nil), lds...)
					copy(first, before)
					copy(second, before[len(first):])
					x.Run(c)
				}
				run()
				waves[k], memory[k] = c, append(append(append([]byte(nil), first...), second...), c.LDS...)
				copy(first, before)
				copy(second, before[len(first):])
			}
			require.Equal(t, waves[0].Status, waves[1].Status, text)
			require.True(t, bytes.Equal(memory[0], memory[1]), "%s: memory, case %d", text, n)
			for v := range waves[0].V {
				require.Equal(t, waves[0].V[v][:lanes], waves[1].V[v][:lanes], "%s: v%d, case %d", text, v, n)
			}
		}
		require.Less(t, declined, 180, "%s: hardly ever done by its op", text)
		require.Positive(t, declined, text)
		if strings.HasPrefix(text, "ds_load_b32") || strings.HasPrefix(text, "ds_read_b32") {
			require.Less(t, stepped, 100, "%s: hardly ever done by its op for some lanes", text)
		}
	}
}

// TestExchangesOfLanesRunAsParts has one instruction of each kind that moves words between lanes, and a dot product.
func TestExchangesOfLanesRunAsParts(t *testing.T) {
	needRuns(t)
	for chip, kinds := range map[encoding.Chip][]string{
		encoding.Gfx906:           {"ds_bpermute_b32 ", "ds_swizzle_b32 ", "v_mov_b32_dpp ", "v_add_f32_dpp "},
		encoding.Gfx1030:          {"ds_bpermute_b32 ", "v_dot2c_f32_f16 "},
		encoding.Gfx1100.Wave32(): {"ds_bpermute_b32 ", "ds_swizzle_b32 ", "v_mov_b32_dpp ", "v_add_f32_dpp "},
	} {
		texts, _, _ := partsOf(t, chip)
		for _, kind := range kinds {
			require.True(t, slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, kind) }), "%s: %q", chipName(chip), kind)
		}
	}
}
