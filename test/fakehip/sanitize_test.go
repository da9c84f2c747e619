package fakehip

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestSanitizers runs what is not meant to crash or to race under the compiler's
// sanitizers.
func TestSanitizers(t *testing.T) {
	if !chost.Long() {
		t.Skip("builds the library twice more: make test-long does")
	}
	notUnder := func(sanitizer, program, c string) bool {
		return c == "runs_out" || c == "host_can_not_touch_a_device" || // own limits on addresses, and the crash is the test
			c == "image_freed" || // the use after free is the test
			sanitizer == "thread" && program == "violations" && strings.HasPrefix(c, "memory_") // the races are the test
	}
	for _, sanitizer := range []string{"thread", "address,undefined"} {
		build := filepath.Join(folder(t), "sanitize", strings.ReplaceAll(sanitizer, ",", "-"))
		require.NoError(t, makeAll(build, "SANITIZE="+sanitizer))
		for _, program := range []string{"stress", "streams", "events", "memory", "violations", "faults"} {
			h := buildWith(t, program, filepath.Join(build, "test", "fakehip"), "-fsanitize="+sanitizer)
			for _, c := range h.cases(t) {
				if notUnder(sanitizer, program, c) {
					continue
				}
				t.Run(sanitizer+"/"+program+"/"+c, func(t *testing.T) {
					r := h.run(t, c, append(environment[c], "FAKEHIP_STRICT=0", "UBSAN_OPTIONS=halt_on_error=1")...)
					require.Equal(t, "exit 0", r.End, r.Stderr)
					require.NotContains(t, r.Stderr, "Sanitizer")
				})
			}
		}
	}
}
