package softgpu

import (
	"fmt"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rdnaBuild is a chip of RDNA, and how the compiler makes code for it: in waves of 32 unless it is told otherwise.
type rdnaBuild struct {
	chip, level string
	flags       []string
}

var wave64 = []string{"-mwavefrontsize64"}

// generic are the flags of code for a generic target.
func generic(target string) []string { return []string{"-mcpu=" + target, "-mcode-object-version=6"} }

// rdnaBuilds are those that kernels run on; with -short one.
func rdnaBuilds() []rdnaBuild {
	some := []rdnaBuild{{"gfx1030", "-O2", nil}, {"gfx1030", "-O0", wave64}, {"gfx1100", "-O2", wave64}, {"gfx1151", "-O0", nil}, {"gfx1201", "-O2", nil}, {"gfx1250", "-O2", nil}}
	switch {
	case testing.Short():
		return some[:1]
	case allCases:
		return append(some, rdnaBuild{"gfx1034", "-O2", generic("gfx10-3-generic")}, rdnaBuild{"gfx1103", "-O2", generic("gfx11-generic")},
			rdnaBuild{"gfx1200", "-O2", generic("gfx12-generic")}, rdnaBuild{"gfx1030", "-O0", nil}, rdnaBuild{"gfx1030", "-O2", wave64}, rdnaBuild{"gfx1036", "-O3", nil},
			rdnaBuild{"gfx1100", "-O2", nil}, rdnaBuild{"gfx1100", "-O0", nil}, rdnaBuild{"gfx1100", "-O0", wave64}, rdnaBuild{"gfx1151", "-O2", wave64},
			rdnaBuild{"gfx1200", "-O2", wave64}, rdnaBuild{"gfx1200", "-O0", nil}, rdnaBuild{"gfx1250", "-O0", nil}, rdnaBuild{"gfx1251", "-O3", nil})
	}
	return some
}

func (b rdnaBuild) String() string { return b.chip + b.level + strings.Join(b.flags, "") }

// args are the compiler's.
func (b rdnaBuild) args() []string { return append([]string{"-mcpu=" + b.chip, b.level}, b.flags...) }

// TestTrapsEndKernelsOfRDNA: compilers for GFX11 put a message to the host and s_sethalt after a trap.
func TestTrapsEndKernelsOfRDNA(t *testing.T) {
	for _, b := range []rdnaBuild{
		{"gfx1030", "-O2", nil}, {"gfx1034", "-O2", generic("gfx10-3-generic")}, {"gfx1100", "-O2", nil}, {"gfx1102", "-O0", wave64},
		{"gfx1151", "-O2", generic("gfx11-generic")}, {"gfx1201", "-O2", nil}, {"gfx1200", "-O2", generic("gfx12-generic")},
	} {
		t.Run(b.String(), func(t *testing.T) {
			d := open(t, Options{Chip: b.chip})
			code := compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "testdata/traps.cl"}, b.args()...))
			p, v := buffer[uint32](t, d, 128)
			v[70] = 5
			require.NoError(t, run(t, d, code, "trap_at", d1(2), d1(64), p, uint32(1000)))
			require.Equal(t, uint32(127), v[127])
			err := run(t, d, code, "trap_at", d1(2), d1(64), p, uint32(70))
			require.ErrorIs(t, err, driver.LaunchFailure)
			assert.Contains(t, err.Error(), "kernel trap_at: trap: abort or failed assertion, in `s_trap 2`")
			assert.Contains(t, err.Error(), fmt.Sprintf("workgroup (%d,0,0)", 70/64))
		})
	}
}
