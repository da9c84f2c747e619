package softgpu

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The waves of a workgroup whose caches are apart wait for global memory before a barrier: by LLVM's memory model those
// of gfx10 to gfx12 in WGP mode, those of gfx90a and gfx942 in threadgroup split mode, and those of gfx1250.

func unfinishedImage(t *testing.T, flags ...string) []byte {
	t.Helper()
	return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "testdata/unfinished.cl", "-O2", "-g"}, flags...))
}

// atBarriers runs a kernel of unfinished.cl in two workgroups of 128 work-items, and returns what the checker says.
func atBarriers(t *testing.T, chip, kernel string, flags ...string) string {
	t.Helper()
	said := &reports{}
	d := open(t, Options{Chip: chip, Check: "wait", Reports: said})
	a, _ := buffer[uint32](t, d, 256)
	out, _ := buffer[uint32](t, d, 256)
	require.NoError(t, run(t, d, unfinishedImage(t, append(flags, "-mcpu="+chip)...), kernel, d1(1), d1(128), a, out))
	return said.String()
}

// apart are ways to compile for waves with caches of their own, each with the wait for a store and that for a load.
var apart = []struct{ chip, flag, together, store, load string }{
	{"gfx90a", "-mtgsplit", "-mno-tgsplit", "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(0)"},
	{"gfx942", "-mtgsplit", "-mno-tgsplit", "s_waitcnt vmcnt(0)", "s_waitcnt vmcnt(0)"},
	{"gfx1030", "-mno-cumode", "-mcumode", "s_waitcnt_vscnt null, 0x0", "s_waitcnt vmcnt(0)"},
	{"gfx1100", "-mno-cumode", "-mcumode", "s_waitcnt_vscnt null, 0x0", "s_waitcnt vmcnt(0)"},
	{"gfx1100", "-mwavefrontsize64", "-mcumode", "s_waitcnt_vscnt null, 0x0", "s_waitcnt vmcnt(0)"},
	{"gfx1201", "-mno-cumode", "-mcumode", "s_wait_storecnt 0x0", "s_wait_loadcnt 0x0"},
	{"gfx1250", "-DGFX1250", "", "s_wait_storecnt 0x0", "s_wait_loadcnt 0x0"},
}

func TestBarriersThatDoNotWaitForGlobalMemoryAreReported(t *testing.T) {
	for _, c := range apart {
		for kernel, want := range map[string]string{
			"store":         "read of 4 bytes of global memory, at 0x[0-9a-f]+, while wave [0-3] may still be writing it(.|\n)*" + regexp.QuoteMeta(c.store),
			"store_by_flat": "while wave [0-3] may still be writing it(.|\n)*flat_store_(.|\n)*" + regexp.QuoteMeta(c.store),
			"add":           "read of 4 bytes of global memory, at 0x[0-9a-f]+, while wave [0-3] may still be writing it(.|\n)*" + regexp.QuoteMeta(c.store),
			"load":          "write of 4 bytes of global memory, at 0x[0-9a-f]+, while wave [0-3] may still be reading it(.|\n)*" + regexp.QuoteMeta(c.load),
			"two_bytes":     "read of 1 byte of global memory, at 0x[0-9a-f]+, while wave [0-3] may still be writing it",
			"third_byte":    "read of 1 byte of global memory, at 0x[0-9a-f]+[26ae], while wave [0-3] may still be writing it",
			"store_twice":   "write of 4 bytes of global memory, at 0x[0-9a-f]+, while wave [0-3] may still be writing it",
		} {
			t.Run(c.chip+c.flag+"/"+kernel, func(t *testing.T) {
				text := atBarriers(t, c.chip, kernel, c.flag)
				assert.Regexp(t, want, text)
				assert.Regexp(t, "is byte \\d+ of the block of 1024 bytes", text, "the block is named")
				assert.Regexp(t, "caches?\\b", text, "the reason is named")
				assert.Empty(t, atBarriers(t, c.chip, kernel, c.flag, "-DRIGHT"))
				if c.together != "" {
					assert.Empty(t, atBarriers(t, c.chip, kernel, c.together), "one cache keeps the order")
				}
			})
		}
	}
}

func TestBarriersNeedNotWaitWhereTheOrderDoesNotMatter(t *testing.T) {
	for _, c := range apart {
		for _, kernel := range []string{"add_twice", "same_value", "bytes", "waits_before_the_next", "flag"} {
			assert.Empty(t, atBarriers(t, c.chip, kernel, c.flag), "%s %s", c.chip, kernel)
		}
	}
}

// Without running a kernel it is not known whether another wave accesses the same memory: a fence of LDS alone leaves the
// same code as an error.
func TestWaitsBeforeBarriersAreNotLookedForWithoutRunning(t *testing.T) {
	assert.Empty(t, strings.Join(missingIn(t, unfinishedImage(t, "-mcpu=gfx1100")), "\n"))
}
