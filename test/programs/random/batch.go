package random

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

// Kernel is a program's text for both sides, and how it is launched.
type Kernel struct {
	Name         string
	Groups       [3]uint32
	Items        [3]uint32
	Device, Host string
}

// Kernel returns the program in its present form.
func (p *Program) Kernel() Kernel {
	k := Kernel{Name: p.name, Device: p.Device(), Host: p.Host()}
	for i := range 3 {
		k.Groups[i], k.Items[i] = uint32(p.grid[i]), uint32(p.block[i])
	}
	return k
}

// Setting is how kernels are compiled, and what they start from.
type Setting struct {
	Chip   string
	Level  int    // LLVM's -O for the device
	Lanes  int    // of a wave, 32 or 64
	Inputs uint64 // seed of the memory's contents
}

// Reach is the number of lanes within which a lane can read others by ds_bpermute: 32 on GFX10 and GFX11, whatever
// the wave has, and later all of the wave.
func (s Setting) Reach() int {
	if strings.HasPrefix(s.Chip, "gfx10") || strings.HasPrefix(s.Chip, "gfx11") {
		return 32
	}
	return s.Lanes
}

// String returns chip, level and size of waves, for the names of tests and files.
func (s Setting) String() string { return fmt.Sprintf("%s-O%d-wave%d", s.Chip, s.Level, s.Lanes) }

// Difference is a kernel for which both sides do not agree.
type Difference struct {
	Kernel string
	Err    error
	Tools  bool // it was not the results that differed: a tool failed
}

// Compare compiles kernels for both sides, all in one go, runs them, and returns
// those that differ. An error is about the tools.
func Compare(t testing.TB, s Setting, kernels []Kernel) ([]Difference, error) {
	t.Helper()
	arena := Inputs(rand.New(rand.NewPCG(s.Inputs, 1)))
	type hosted struct {
		arenas []byte
		err    error
	}
	host := make(chan hosted, 1)
	go func() {
		arenas, err := onHost(kernels, arena)
		host <- hosted{arenas, err}
	}()
	image, err := s.image(kernels)
	want := <-host
	if err != nil {
		return nil, err
	}
	if want.err != nil {
		return nil, want.err
	}

	d := softgpu.Open(t, s.Chip)
	defer d.Close()
	m, err := d.Load(image)
	if err != nil {
		return nil, err
	}
	memory := d.Alloc(ArenaBytes)
	var args []any
	for _, b := range Buffers {
		args = append(args, memory.From(b.at))
	}
	var differences []Difference
	for i, k := range kernels {
		copy(memory.Bytes, arena)
		err := m.Launch(k.Name, softgpu.Grid{Groups: k.Groups, Items: k.Items}, args...)
		if err == nil {
			err = compare(memory.Bytes, want.arenas[i*ArenaBytes:(i+1)*ArenaBytes])
		}
		if err != nil {
			differences = append(differences, Difference{Kernel: k.Name, Err: err})
		}
	}
	return differences, nil
}

// image compiles kernels to one code object.
func (s Setting) image(kernels []Kernel) ([]byte, error) {
	var text strings.Builder
	text.WriteString("gpu.module @kernels {\n")
	for _, k := range kernels {
		text.WriteString(k.Device)
	}
	text.WriteString("}\n")
	lowered, err := toolchain.Lower("kernels", text.String(), "CHIP="+s.Chip, fmt.Sprintf("OPT=%d", s.Level), fmt.Sprintf("WAVE=%d", s.Lanes))
	if err != nil {
		return nil, err
	}
	binaries, err := toolchain.Binaries(lowered)
	if err != nil {
		return nil, err
	}
	return binaries["kernels"], nil
}

// onHost compiles kernels to a program, and returns the memory that each leaves.
func onHost(kernels []Kernel, arena []byte) ([]byte, error) {
	var text, table strings.Builder
	for _, k := range kernels {
		text.WriteString(k.Host)
	}
	lowered, err := toolchain.Lower("functions", text.String())
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "random")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	hostMain(&table, kernels)
	program, err := toolchain.Program(lowered, table.String(), dir)
	if err != nil {
		return nil, err
	}
	out, err := toolchain.Run(arena, nil, program)
	if err == nil && len(out) != len(kernels)*ArenaBytes {
		err = fmt.Errorf("the host's program wrote %d bytes", len(out))
	}
	return out, err
}

// hostMain writes the C program that gives each kernel the same memory. Narrow
// floats that LLVM rounds through the compiler's runtime, which Debian's lacks, are
// rounded here: to odd first, so that the second rounding has all it needs.
func hostMain(w *strings.Builder, kernels []Kernel) {
	fmt.Fprintf(w, `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef union { float f; unsigned u; } single;
static unsigned short brain(float f) {
  single x = { f };
  if ((x.u & 0x7fffffff) > 0x7f800000) return 0x7fc0;
  return (x.u + 0x7fff + (x.u >> 16 & 1)) >> 16;
}
static float odd(double d) {
  single x = { (float)d };
  if ((double)x.f == d || d != d) return x.f;
  double size = d < 0 ? -d : d, near = x.f < 0 ? -(double)x.f : x.f;
  if (near > size) x.u--;
  x.u |= 1;
  return x.f;
}
typedef unsigned short __attribute__((vector_size(16))) lanes;
static lanes lane(unsigned short v) { return (lanes){ v }; }
lanes __truncsfbf2(float f) { return lane(brain(f)); }
lanes __truncdfbf2(double d) { return lane(brain(odd(d))); }
static unsigned char start[%d], now[%d];
`, ArenaBytes, ArenaBytes)
	for _, k := range kernels {
		fmt.Fprintf(w, "void %s();\n", k.Name)
	}
	w.WriteString("int main(void) {\n  if (fread(start, 1, sizeof start, stdin) != sizeof start) return 1;\n")
	for _, k := range kernels {
		w.WriteString("  memcpy(now, start, sizeof now);\n  " + k.Name + "(")
		for i, b := range Buffers {
			if i > 0 {
				w.WriteString(", ")
			}
			fmt.Fprintf(w, "now + %d", b.at)
		}
		w.WriteString(");\n  fwrite(now, 1, sizeof now, stdout);\n")
	}
	w.WriteString("  return 0;\n}\n")
}

// compare names the first place in which two memories differ.
func compare(got, want []byte) error {
	for _, b := range Buffers {
		x, y := got[b.at:b.at+b.bytes()], want[b.at:b.at+b.bytes()]
		if bytes.Equal(x, y) {
			continue
		}
		for i := 0; i < len(x); i += b.size() {
			g, w := x[i:i+b.size()], y[i:i+b.size()]
			if bytes.Equal(g, w) || b.fuzzy && near(b.elem, g, w) {
				continue
			}
			return fmt.Errorf("%s[%d] is %s on the device and %s on the host", b.name, i/b.size(), spelt(b.elem, g), spelt(b.elem, w))
		}
	}
	return nil
}

func number(elem string, b []byte) float64 {
	if elem == "f32" {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(b))
}

// tolerances are what libm and the device's library may differ by, relative to
// numbers above 1, absolute below.
var tolerances = map[string]float64{"f32": 1e-5, "f64": 1e-13}

func near(elem string, got, want []byte) bool {
	g, w := number(elem, got), number(elem, want)
	if g == w || math.IsNaN(g) && math.IsNaN(w) {
		return true
	}
	return math.Abs(g-w) <= tolerances[elem]*math.Max(1, math.Abs(w))
}

func spelt(elem string, b []byte) string {
	var word [8]byte
	copy(word[:], b)
	text := fmt.Sprintf("%#0*x", 2*len(b)+2, binary.LittleEndian.Uint64(word[:]))
	if elem == "f32" || elem == "f64" {
		text += fmt.Sprintf(" (%g)", number(elem, b))
	}
	return text
}
