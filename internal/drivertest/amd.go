package drivertest

import "testing"

// BuildAMD compiles the suite's kernels for a chip ("gfx906"). Without the
// compiler the calling test is skipped.
func BuildAMD(t testing.TB, chip string) Images {
	t.Helper()
	other := "gfx1030"
	if chip == other {
		other = "gfx906"
	}
	build := func(chip, variant string) []byte {
		return compile(t, chip, variant, "-nostdlib", "-target", "amdgcn-amd-amdhsa", "-mcpu="+chip)
	}
	return images{kernels: build(chip, "0"), other: build(chip, "1"), wrong: build(other, "0")}
}
