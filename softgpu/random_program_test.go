package softgpu

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A random program is a set of functions from three words to one, written so
// that C and OpenCL agree on what they compute. The host's compiler and
// processor tell what the software GPU has to compute.

// value is a variable of a random program.
type value struct{ name, kind string }

var kinds = []string{"i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64"}

type randomFunction struct {
	*rand.Rand
	vars []value
	text strings.Builder
}

func (g *randomFunction) kind() string { return kinds[g.IntN(len(kinds))] }

func pickOf[T any](g *randomFunction, of ...T) T { return of[g.IntN(len(of))] }

func isFloat(kind string) bool { return kind[0] == 'f' }

// use is an expression of a kind: some variable, converted.
func (g *randomFunction) use(kind string) string { return convert(pickOf(g, g.vars...), kind) }

func convert(v value, kind string) string {
	switch {
	case v.kind == kind:
		return v.name
	case isFloat(v.kind) && !isFloat(kind):
		return fmt.Sprintf("(%s)int_%s(%s)", kind, v.kind, v.name)
	}
	return fmt.Sprintf("(%s)(%s)", kind, v.name)
}

func (g *randomFunction) choice(kind string) string {
	of := g.kind()
	return fmt.Sprintf("(%s %s %s ? %s : %s)", g.use(of), pickOf(g, "<", ">", "<=", ">=", "==", "!="), g.use(of), g.use(kind), g.use(kind))
}

func (g *randomFunction) float(k string) string {
	switch op := pickOf(g, "+", "-", "*", "/", "fma", "?", "neg", "abs", "sqrt", "trunc", "floor", "rint"); op {
	case "+", "-", "*", "/":
		return fmt.Sprintf("(%s)(%s %s %s)", k, g.use(k), op, g.use(k))
	case "fma":
		return fmt.Sprintf("fma_%s(%s, %s, %s)", k, g.use(k), g.use(k), g.use(k))
	case "?":
		return g.choice(k)
	case "neg":
		return "(-" + g.use(k) + ")"
	default:
		return fmt.Sprintf("%s_%s(%s)", op, k, g.use(k))
	}
}

func (g *randomFunction) integer(k string) string {
	width, _ := strconv.Atoi(k[1:])
	unsigned := "u" + k[1:]
	if width < 32 {
		unsigned = "u32"
	}
	switch op := pickOf(g, "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "?", "~", "popcount", "clz", "rot", "mulhi", "const", "bswap", "field"); op {
	case "+", "-", "*":
		return fmt.Sprintf("(%s)((%s)%s %s (%s)%s)", k, unsigned, g.use(k), op, unsigned, g.use(k))
	case "/", "%":
		// The xor keeps LLVM 22 from a wrong answer of its own: where a dividend is the
		// extension of a signed number, it divides unsigned words in 24 bits.
		return fmt.Sprintf("(%s)((%s ^ (%s)0x5a5a5a5a5a5a5a5aL) %s (%s)((%s & (%s)0x3fffffff3fff3f3fL & (%s)~((u64)1 << %d)) | 1))", k, g.use(k), k, op, k, g.use(k), k, k, width-1)
	case "&", "|", "^":
		return fmt.Sprintf("(%s)(%s %s %s)", k, g.use(k), op, g.use(k))
	case "<<":
		return fmt.Sprintf("(%s)((%s)%s << (%s & %d))", k, unsigned, g.use(k), g.use("u32"), width-1)
	case ">>":
		return fmt.Sprintf("(%s)(%s >> (%s & %d))", k, g.use(k), g.use("u32"), width-1)
	case "?":
		return g.choice(k)
	case "~":
		return fmt.Sprintf("(%s)(~%s)", k, g.use(k))
	case "popcount":
		return fmt.Sprintf("(%s)__builtin_popcountl(%s)", k, g.use("u64"))
	case "clz":
		return fmt.Sprintf("(%s)clz64(%s)", k, g.use("u64"))
	case "rot":
		return fmt.Sprintf("(%s)rot32(%s, %s)", k, g.use("u32"), g.use("u32"))
	case "mulhi":
		return fmt.Sprintf("(%s)(((u64)%s * (u64)%s) >> 32)", k, g.use("u32"), g.use("u32"))
	case "bswap":
		return fmt.Sprintf("(%s)__builtin_bswap32(%s)", k, g.use("u32"))
	case "field":
		return fmt.Sprintf("(%s)((%s >> %d) & %d)", k, g.use(pickOf(g, "u32", "i32", "u64", "i64")), g.IntN(24), 1<<(1+g.IntN(19))-1)
	default:
		return fmt.Sprintf("(%s)(%d)", k, pickOf(g, 0, 1, -1, 7, 100, 255, 65535, -32768, 0x7fffffff, g.IntN(1<<31)))
	}
}

func (g *randomFunction) declare(indent, kind, expression string) {
	name := fmt.Sprintf("v%d", len(g.vars))
	fmt.Fprintf(&g.text, "%s%s %s = %s;\n", indent, kind, name, expression)
	g.vars = append(g.vars, value{name, kind})
}

func (g *randomFunction) statement(indent string) {
	k := g.kind()
	if isFloat(k) {
		g.declare(indent, k, g.float(k))
	} else {
		g.declare(indent, k, g.integer(k))
	}
}

// sourceOf writes function n: statements, a loop with a branch that lanes take differently, a sum of all.
func sourceOf(r *rand.Rand, n int) string {
	g := &randomFunction{Rand: r, vars: []value{{"a", "u64"}, {"b", "u64"}, {"c", "u64"}}}
	fmt.Fprintf(&g.text, "static u64 function%d(u64 a, u64 b, u64 c) {\n", n)
	for _, v := range []value{{"f32of((u32)a)", "f32"}, {"f64of(b)", "f64"}, {"f16of((u16)c)", "f16"}, {"(f32)(i32)b", "f32"},
		{"(f64)(i64)c * 1e-9", "f64"}, {"(i8)a", "i8"}, {"(u16)b", "u16"}, {"(i32)c", "i32"}} {
		g.declare("  ", v.kind, v.name)
	}
	for k := 6 + g.IntN(14); k > 0; k-- {
		g.statement("  ")
	}
	if g.IntN(3) > 0 {
		fmt.Fprintf(&g.text, "  u64 sum = 0;\n  for (u32 k = 0; k < (%s & 7); k++) {\n", g.use("u32"))
		outside := g.vars
		g.vars = append(g.vars[:len(g.vars):len(g.vars)], value{"k", "u32"}, value{"sum", "u64"})
		for k := 1 + g.IntN(3); k > 0; k-- {
			g.statement("    ")
		}
		x, y := g.vars[len(g.vars)-1], pickOf(g, g.vars...)
		fmt.Fprintf(&g.text, "    if (sum & 3)\n      sum = sum * 31 + bits_%s(%s);\n    else\n      sum ^= bits_%s(%s) + k;\n  }\n", x.kind, x.name, y.kind, y.name)
		g.vars = append(outside, value{"sum", "u64"})
	}
	g.text.WriteString("  u64 h = 0;\n")
	for _, v := range g.vars[max(0, len(g.vars)-12):] {
		fmt.Fprintf(&g.text, "  h = h * 0x9e3779b97f4a7c15UL + bits_%s(%s);\n", v.kind, v.name)
	}
	g.text.WriteString("  return h;\n}\n")
	return g.text.String()
}

// randomProgram is a file that is a kernel for OpenCL, and for C a program that
// reads words from its input and writes the results.
func randomProgram(r *rand.Rand, functions int) string {
	var s, calls strings.Builder
	s.WriteString("#include \"random.h\"\n")
	for n := range functions {
		s.WriteString(sourceOf(r, n))
		fmt.Fprintf(&calls, "  out[%d] = function%d(in[0], in[1], in[2]);\n", n, n)
	}
	fmt.Fprintf(&s, `#ifdef __OPENCL_C_VERSION__
__kernel void random_program(__global const u64 *in, __global u64 *out) {
  u64 i = __builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x();
  in += 3 * i;
  out += %d * i;
%s}
#else
int main(void) {
  u64 in[3], out[%d];
  while (fread(in, 8, 3, stdin) == 3) {
%s  fwrite(out, 8, %d, stdout);
  }
  return 0;
}
#endif
`, functions, calls.String(), functions, calls.String(), functions)
	return s.String()
}

// randomWords are inputs: special numbers, numbers near one, small ones, and any.
func randomWords(r *rand.Rand, to []uint64) {
	special := []uint64{0, 1, 1 << 63, 1<<64 - 1, 1 << 31, 0x7f800000, 0x3ff << 52, 0x7ff << 52, 0x3c00, 0xbf800000, 0x7fffffff, 0x8000, 0x00800000}
	for i := range to {
		switch r.IntN(7) {
		case 0:
			to[i] = special[r.IntN(len(special))]
		case 1:
			to[i] = r.Uint64()<<32 | uint64(0x3f000000+r.IntN(1<<26))
		case 2:
			to[i] = 0x3fe<<52 + r.Uint64()>>9
		default:
			to[i] = r.Uint64() >> []uint{0, 0, 0, 16, 32, 40, 56}[r.IntN(7)]
		}
	}
}

// TestRandomProgramsComputeWhatTheHostDoes runs other programs each time where
// MGPU_RANDOM_SEED is set to a number; a failure tells how to run its program again. They
// have more functions with MGPU_TEST_LONG.
func TestRandomProgramsComputeWhatTheHostDoes(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the host's half floats are compiled for amd64 only")
	}
	seed := uint64(1)
	if s := os.Getenv("MGPU_RANDOM_SEED"); s != "" {
		var err error
		seed, err = strconv.ParseUint(s, 10, 64)
		require.NoError(t, err, "MGPU_RANDOM_SEED")
	}
	builds := append([]rdnaBuild{{"gfx906", "-O2", nil}, {"gfx906", "-O0", nil}, {"gfx900", "-O3", nil}}, rdnaBuilds()...)
	for n, c := range builds {
		if n > 0 && testing.Short() {
			break
		}
		t.Run(c.String(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(n)))
			const items = 256
			functions := 24
			if allCases {
				functions = 40
			}
			dir := t.TempDir()
			file := filepath.Join(dir, "program.c")
			require.NoError(t, os.WriteFile(file, []byte(randomProgram(r, functions)), 0o600))
			image := compile(t, append(c.args(), "-x", "cl", "-cl-std=CL2.0", "-ffp-contract=off",
				"-cl-fp32-correctly-rounded-divide-sqrt", "-Itestdata", file))

			d := open(t, Options{Chip: c.chip})
			in, inputs := buffer[uint64](t, d, 3*items)
			out, got := buffer[uint64](t, d, functions*items)
			randomWords(r, inputs)
			want := onHost(t, file, inputs, len(got))
			require.NoError(t, run(t, d, image, "random_program", d1(items/64), d1(64), in, out))
			for i := range got {
				x := inputs[i/functions*3:]
				require.Equal(t, want[i], got[i], "function %d of (%#x, %#x, %#x); again with MGPU_RANDOM_SEED=%d", i%functions, x[0], x[1], x[2], seed)
			}
		})
	}
}

func onHost(t *testing.T, file string, inputs []uint64, results int) []uint64 {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	said, err := exec.Command("clang-22", "-w", "-O1", "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none", "-mfma", "-mf16c",
		"-Itestdata", "-o", program, file, "-lm").CombinedOutput()
	require.NoError(t, err, "%s", said)
	var in, out bytes.Buffer
	require.NoError(t, binary.Write(&in, binary.LittleEndian, inputs))
	cmd := exec.Command(program)
	cmd.Stdin, cmd.Stdout = &in, &out
	require.NoError(t, cmd.Run())
	want := make([]uint64, results)
	require.NoError(t, binary.Read(&out, binary.LittleEndian, want))
	return want
}
