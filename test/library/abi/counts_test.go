package abi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestNamesThatAreNoTextAreRefused(t *testing.T) {
	host := linked(t, "wild_names.c")
	for _, cache := range []string{"on", "off"} {
		for _, o := range outcomes(t, chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host)) {
			if o.name == "known" {
				require.Equal(t, "value", o.value)
				continue
			}
			require.Equal(t, "null", o.value, o.name)
			require.Equal(t, 1, o.lines, o.text)
			require.Regexp(t, stockForm, o.text)
		}
	}
}

// Counters are kept per thread: no call of a thread that ended may be lost, and
// none may be counted twice when the next thread takes its counters over.
func TestCallsOfThreadsThatEndedAreCountedExactly(t *testing.T) {
	host := linked(t, "counts.c")
	for _, driver := range []string{null, soft} {
		for _, timing := range []string{"MGPU_STATS=", "MGPU_STATS=1"} {
			r := chost.Run(t, []string{driver, timing}, host)
			require.Equal(t, "exit 0", r.End, r.Stderr)
			require.Equal(t, "wrong: 0\n", r.Stdout, r.Stderr)
		}
	}
}
