package abi

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// C launches graphs while other threads end that, change the graphs and destroy them.
func TestCLaunchesNoGraphThatWasTakenBack(t *testing.T) {
	seconds := "1"
	if chost.Long() {
		seconds = "60"
	}
	fastpath := filepath.Join(chost.Root(), "internal", "fastpath")
	for _, sanitizer := range []string{"thread", "address"} {
		t.Run(sanitizer, func(t *testing.T) {
			flag := chost.Sanitizer(t, sanitizer)
			host := chost.Build(t, "relaunching", append(source("relaunching.c"), filepath.Join(fastpath, "relaunch.c")), "-I"+fastpath, flag, "-g")
			r := chost.Run(t, nil, host, seconds)
			clean(t, r)
			require.Equal(t, "launched\n", r.Stdout)
		})
	}
}
