package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/chost"
)

func TestOrderOfArgumentsAndStructsByValue(t *testing.T) {
	host := linked(t, "values.c")
	for _, cache := range []string{"on", "off"} {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=" + cache}, host)
		values, cases, _ := strings.Cut(r.Stdout, "the element before")
		require.Equal(t, "plain: 30\ncooperative: 30\nfloats: 1 1 11 22 33\nints: 1 1 -11 1099511627776 -33\n", values)
		r.Stdout = "the element before" + cases
		all := outcomes(t, r)
		require.Len(t, all, 10)
		for _, o := range all {
			if o.name == "the first" || o.name == "the last" {
				require.Equal(t, "value", o.value, o.name)
				require.Zero(t, o.lines, o.text)
				continue
			}
			require.Equal(t, 1, o.lines, "%s: %s", o.name, o.text)
			require.Regexp(t, stockForm, o.text)
		}
	}
}
