package drivertest

import "testing"

// BuildAMD compiles the suite's kernels for a chip ("gfx906") with options for the compiler. Without the compiler it
// skips the calling test.
func BuildAMD(t testing.TB, chip string, options ...string) Images {
	t.Helper()
	other := "gfx1030"
	if chip == other {
		other = "gfx906"
	}
	build := func(chip, variant string) []byte {
		return compile(t, chip, variant, append([]string{"-nostdlib", "-target", "amdgcn-amd-amdhsa", "-mcpu=" + chip}, options...)...)
	}
	return images{kernels: build(chip, "0"), other: build(chip, "1"), wrong: build(other, "0")}
}
