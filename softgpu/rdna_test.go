package softgpu

import (
	"strings"
	"testing"
)

// rdnaBuild is a chip of RDNA, and how the compiler makes code for it: in waves of 32 unless it is told otherwise.
type rdnaBuild struct {
	chip, level string
	flags       []string
}

var wave64 = []string{"-mwavefrontsize64"}

// rdnaBuilds are those that kernels run on; with -short one.
func rdnaBuilds() []rdnaBuild {
	some := []rdnaBuild{{"gfx1030", "-O2", nil}, {"gfx1030", "-O0", wave64}, {"gfx1100", "-O2", wave64}, {"gfx1151", "-O0", nil}, {"gfx1201", "-O2", nil}}
	switch {
	case testing.Short():
		return some[:1]
	case allCases:
		return append(some, rdnaBuild{"gfx1030", "-O0", nil}, rdnaBuild{"gfx1030", "-O2", wave64}, rdnaBuild{"gfx1036", "-O3", nil},
			rdnaBuild{"gfx1100", "-O2", nil}, rdnaBuild{"gfx1100", "-O0", nil}, rdnaBuild{"gfx1100", "-O0", wave64}, rdnaBuild{"gfx1151", "-O2", wave64},
			rdnaBuild{"gfx1200", "-O2", wave64}, rdnaBuild{"gfx1200", "-O0", nil})
	}
	return some
}

func (b rdnaBuild) String() string { return b.chip + b.level + strings.Join(b.flags, "") }

// args are the compiler's.
func (b rdnaBuild) args() []string { return append([]string{"-mcpu=" + b.chip, b.level}, b.flags...) }
