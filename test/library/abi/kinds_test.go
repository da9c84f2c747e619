package abi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestHandlesOfAnotherKindAreRefused(t *testing.T) {
	host := linked(t, "kinds.c")
	for _, cache := range []string{"on", "off"} {
		all := outcomes(t, chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host))
		require.Greater(t, len(all), 70)
		for _, o := range all {
			switch o.name {
			case "afterwards":
				require.Equal(t, "value", o.value)
			case "fine: given back":
				require.Zero(t, o.lines, o.text)
			default:
				require.Equal(t, "null", o.value, o.name)
				require.Equal(t, 1, o.lines, "%s, cache %s: %s", o.name, cache, o.text)
				require.Regexp(t, stockForm, o.text)
			}
		}
	}
}
