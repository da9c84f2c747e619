package kernels

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	gpu "github.com/mgpu-runtime/mgpu/softgpu"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
)

// counter is a field of a wait: the bits of its word that are ones where it does not wait.
type counter struct {
	name string
	bits uint32
}

// countersOf returns the counters that an instruction can wait for.
func countersOf(chip, wait string) []counter {
	switch {
	case wait == "s_waitcnt" && chip < "gfx11":
		return []counter{{"vmcnt", 0xc00f}, {"expcnt", 0x70}, {"lgkmcnt", 0x3f00}}
	case wait == "s_waitcnt":
		return []counter{{"vmcnt", 0xfc00}, {"expcnt", 7}, {"lgkmcnt", 0x3f0}}
	case wait == "s_waitcnt_depctr":
		return nil
	}
	name, single := strings.CutPrefix(wait, "s_waitcnt_")
	if single {
		return []counter{{name, 0x3f}}
	}
	name, split := strings.CutPrefix(wait, "s_wait_")
	first, second, both := strings.Cut(name, "_")
	switch {
	case !split || !strings.HasSuffix(name, "cnt"):
		return nil
	case both:
		return []counter{{first, 0x3f00}, {second, 0x3f}}
	}
	return []counter{{name, 0x3f}}
}

// kernelText is a kernel's place in a code object, with its instructions.
type kernelText struct {
	image  []byte
	object *codeobj.Object
	start  uint64 // address of the kernel
	at     int64  // what to add to an address for its place in image
	text   []gpu.Instruction
}

func textOf(t *testing.T, image []byte, kernel string) kernelText {
	t.Helper()
	o, err := codeobj.Parse(image)
	require.NoError(t, err)
	file, err := elf.NewFile(bytes.NewReader(image))
	require.NoError(t, err)
	k := kernelText{image: image, object: o, at: int64(file.Section(".text").Offset) - int64(o.Text.Addr)}
	all, err := gpu.Disassemble(o)
	require.NoError(t, err)
	for _, f := range o.Functions() {
		if f.Name != kernel {
			continue
		}
		k.start = f.Start
		for i := range all {
			if f.Start <= i.Address && i.Address < f.End {
				k.text = append(k.text, i)
			}
		}
	}
	require.NotEmpty(t, k.text, "no kernel %s", kernel)
	return k
}

// with returns the code object with another word at an instruction.
func (k *kernelText) with(i gpu.Instruction, change func(word uint32) uint32) []byte {
	image := bytes.Clone(k.image)
	at := image[int64(i.Address)+k.at:]
	binary.LittleEndian.PutUint32(at, change(binary.LittleEndian.Uint32(at)))
	return image
}

// places returns the instructions of the object that use registers too early, by function and offset.
func (k *kernelText) places(t *testing.T, image []byte) map[string]bool {
	t.Helper()
	o, err := codeobj.Parse(image)
	require.NoError(t, err)
	missing, err := gpu.MissingWaits(o)
	require.NoError(t, err)
	found := map[string]bool{}
	for _, m := range missing {
		for _, f := range k.object.Functions() {
			if f.Start <= m.Address && m.Address < f.End {
				found[fmt.Sprintf("%s+%#x", f.Name, m.Address-f.Start)] = true
			}
		}
	}
	return found
}

// waitFinding is a report's first two lines: what is too early, and where.
var waitFinding = regexp.MustCompile(`mgpu check: wait: (\S+ is (?:read|overwritten)|[a-z ]+ of \d+ bytes? of (?:workgroup|global) memory)[^\n]*\n\s+at (\S+\+0x[0-9a-f]+) \(pc`)

// found runs a row with the checker: the instructions that use registers too early, and the number of those that use
// workgroup memory or global memory too early.
func (r Row) found(t *testing.T, target Target, image []byte) (registers map[string]bool, words int) {
	t.Helper()
	var said bytes.Buffer
	d := softgpu.OpenReporting(t, target.Chip, "wait", &said)
	defer d.Close()
	m, err := d.Load(image)
	require.NoError(t, err)
	r.Check(r.exam(t, target, d, m))
	registers = map[string]bool{}
	all := waitFinding.FindAllStringSubmatch(said.String(), -1)
	require.Len(t, all, strings.Count(said.String(), "mgpu check: wait: "), "%s", &said)
	for _, f := range all {
		if strings.HasSuffix(f[1], "memory") {
			words++
		} else {
			registers[f[2]] = true
		}
	}
	return registers, words
}

// orders reports whether instruction n stands next to one that orders memory: what it waits for may be
// memory that others see, and not registers.
func (k *kernelText) orders(n int) bool {
	return slices.ContainsFunc(k.text[max(n-4, 0):min(n+9, len(k.text))], func(i gpu.Instruction) bool {
		return strings.HasPrefix(i.Name, "s_barrier") || strings.Contains(i.Name, "_inv") || strings.HasPrefix(i.Name, "global_wb") ||
			strings.Contains(i.Name, "_atomic_") || strings.HasPrefix(i.Name, "s_endpgm")
	})
}

// waitTargets are those whose waits are left out. At -O0 most loads are flat ones: compilers wait for both of their
// counters, of which the lanes' addresses may need one only, and no text tells which.
func waitTargets() (list []Target) {
	if !chost.Long() {
		return []Target{{"gfx1030", "-O2", 64}, {"gfx1100", "-O2", 32}, {"gfx1201", "-O2", 64}}
	}
	for _, chip := range []string{"gfx1030", "gfx1100", "gfx1151", "gfx1201"} {
		list = append(list, Target{chip, "-O2", 32}, Target{chip, "-O2", 64})
	}
	return list
}

// Kinds of waits that the checker does not miss, after the name of the counter.
const (
	ofMemory  = ", order of memory"
	elsewhere = ", on ways that the kernel does not go"
)

// TestEachWaitOfCompiledKernelsIsMissed leaves out the waits of compiled kernels, one counter of one wait at a time.
// Compilers wait for registers only where it is needed, so that what is left out is missed: without running, and by the
// checker at some of the same instructions, unless the kernel's branches and lanes go another way. The kernels as they
// are miss none. It takes one kernel in 20 for three targets, and with MGPU_TEST_LONG all for eight.
func TestEachWaitOfCompiledKernelsIsMissed(t *testing.T) {
	for _, target := range waitTargets() {
		missed := map[string]int{}
		for _, r := range rows {
			if !chost.Chosen(20, "waits"+target.String()+r.File+r.Name) {
				continue
			}
			t.Run(target.String()+"/"+r.File+"/"+r.Name, func(t *testing.T) { r.missesEachWait(t, target, missed) })
		}
		if chost.Long() {
			counters := []string{"vmcnt", "lgkmcnt"}
			if target.Chip >= "gfx12" {
				counters = []string{"loadcnt", "dscnt", "kmcnt"}
			}
			for _, c := range counters {
				assert.Greater(t, missed[c], 50, "%s: %s", target, c)
				assert.Less(t, missed[c+elsewhere], missed[c]/10, "%s: %s", target, c)
			}
		}
		t.Logf("%s: %v", target, missed)
	}
}

func (r Row) missesEachWait(t *testing.T, target Target, missed map[string]int) {
	k := textOf(t, Image(t, r.File, target), r.Name)
	assert.Empty(t, k.places(t, k.image))
	registers, words := r.found(t, target, k.image)
	assert.Empty(t, registers)
	assert.Zero(t, words)
	for n, i := range k.text {
		for _, c := range countersOf(target.Chip, i.Name) {
			image := k.with(i, func(word uint32) uint32 { return word | c.bits })
			if bytes.Equal(image, k.image) {
				continue // does not wait for it
			}
			what := fmt.Sprintf("%s of `%s` at %#x", c.name, i.Text(), i.Address-k.start)
			static := k.places(t, image)
			registers, words := r.found(t, target, image)
			for place := range registers {
				assert.True(t, static[place], "%s: %s is found where the kernel runs, and not without", what, place)
			}
			switch {
			case len(static) == 0 && words == 0:
				assert.True(t, k.orders(n), "%s is not missed", what)
				missed[c.name+ofMemory]++
			case len(registers) == 0 && words == 0:
				missed[c.name+elsewhere]++
			default:
				missed[c.name]++
			}
		}
	}
}
