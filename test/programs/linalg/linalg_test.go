package linalg

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
	"github.com/mgpu-runtime/mgpu/test/internal/toolchain"
)

func programs(t *testing.T) []Program {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("programs", "*.mlir"))
	require.NoError(t, err)
	var list []Program
	for _, f := range files {
		p, err := Read(f)
		require.NoError(t, err)
		list = append(list, p)
	}
	require.GreaterOrEqual(t, len(list), 40)
	return list
}

// device is the side whose kernels a software GPU runs, compiled with further settings of scripts/lower.
func device(t *testing.T, chip string, level int, more ...string) Side {
	library := chost.Library(t)
	return Side{Kind: "linalg", Env: append([]string{"CHIP=" + chip, fmt.Sprintf("OPT=%d", level)}, more...), Run: []string{"MGPU_DRIVER=soft", "MGPU_SOFT_CHIP=" + chip},
		Link: []string{library, "-Wl,-rpath," + filepath.Dir(library)}}
}

// TestProgramsComputeWhatTheHostDoes compares a fifth of the programs on gfx906 and some on
// gfx950 and gfx1100, and if MGPU_TEST_LONG is set all, also on the other chips, at other levels of
// optimization, and with a checker that must find nothing.
func TestProgramsComputeWhatTheHostDoes(t *testing.T) {
	toolchain.NeedMLIR(t)
	list := programs(t)
	sides := []Side{device(t, "gfx906", 2)}
	some := slices.DeleteFunc(slices.Clone(list), func(p Program) bool { return !chost.Chosen(5, p.Name) })
	if chost.Long() {
		sides = append(sides, device(t, "gfx906", 0), device(t, "gfx906", 3), device(t, "gfx900", 1), device(t, "gfx908", 2), device(t, "gfx90a", 2), device(t, "gfx942", 3),
			device(t, "gfx950", 0), device(t, "gfx950", 3), device(t, "gfx1030", 2), device(t, "gfx1030", 2, "WAVE=64"), device(t, "gfx1100", 2, "WAVE=64"), device(t, "gfx1151", 0), device(t, "gfx1151", 2, "WAVE=64"),
			device(t, "gfx1201", 2), device(t, "gfx1201", 0, "WAVE=64"))
		watched := device(t, "gfx906", 2)
		watched.Run = append(watched.Run, "MGPU_CHECK=memory,race,uninit", "MGPU_ON_ERROR=abort")
		sides = append(sides, watched)
	}
	compareWithHost(t, some, sides...)
	var newest []Program
	for _, p := range list {
		if chost.Chosen(20, p.Name) || strings.Contains(p.Name, "bf16") && chost.Chosen(3, p.Name) {
			newest = append(newest, p)
		}
	}
	compareWithHost(t, newest, device(t, "gfx950", 2), device(t, "gfx1100", 2))
}

// compareWithHost runs programs on the host and on each side.
func compareWithHost(t *testing.T, list []Program, sides ...Side) {
	r := rand.New(rand.NewPCG(3, 4))
	var contents []byte
	for _, p := range list {
		for _, b := range p.Buffers {
			contents = b.fill(contents, r)
		}
	}
	want, err := Side{Kind: "cpu"}.Execute(list, contents)
	require.NoError(t, err)
	for _, s := range sides {
		t.Run(strings.Join(s.Env, ","), func(t *testing.T) {
			got, err := s.Execute(list, contents)
			require.NoError(t, err)
			at := 0
			for _, p := range list {
				t.Run(p.Name, func(t *testing.T) {
					changed := false
					for n, b := range p.Buffers {
						here := got[at : at+b.Bytes()]
						assert.NoError(t, p.compare(b, want[at:at+b.Bytes()], here), "argument %d", n)
						changed = changed || !bytes.Equal(here, contents[at:at+b.Bytes()])
						at += b.Bytes()
					}
					assert.True(t, changed, "the program did something")
				})
			}
		})
	}
}

// compare names the first wrong element.
func (p Program) compare(b Buffer, want, got []byte) error {
	size := b.width()
	for i := 0; i < len(want); i += size {
		w, g := want[i:i+size], got[i:i+size]
		if bytes.Equal(w, g) || p.Near && near(b.Elem, w, g) {
			continue
		}
		return fmt.Errorf("element %d is %x, not %x (%s)", i/size, g, w, b.Elem)
	}
	return nil
}

// near is within one part in 100,000, or that much of 1 for smaller numbers.
func near(elem string, want, got []byte) bool {
	var w, g float64
	switch elem {
	case "f32":
		w, g = float64(math.Float32frombits(binary.LittleEndian.Uint32(want))), float64(math.Float32frombits(binary.LittleEndian.Uint32(got)))
	case "f64":
		w, g = math.Float64frombits(binary.LittleEndian.Uint64(want)), math.Float64frombits(binary.LittleEndian.Uint64(got))
	default:
		return false
	}
	return math.Abs(w-g) <= 1e-5*math.Max(1, math.Abs(w)) || w != w && g != g
}
