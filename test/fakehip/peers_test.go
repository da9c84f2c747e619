package fakehip

import (
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// The random programs of test/library/abi on three devices over HIP, whose work takes a
// while: no memory is given out or freed while work of any device still uses it.
func TestRandomProgramsOnSeveralDevicesKeepHIPsRules(t *testing.T) {
	flags := append(chost.Linked(chost.Library(t)), "-std=gnu11", "-pthread")
	host := chost.Build(t, "peers", []string{filepath.Join("..", "library", "abi", "hosts", "peers.c")}, flags...)
	image, seconds := filepath.Join(folder(t), "suite.bundle"), "0"
	if chost.Long() {
		seconds = "60"
	}
	for seed, threads := range []string{"1", "1", "4", "4"} {
		r := chost.Run(t, []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_DEVICES=3", "FAKEHIP_COSTS=kernel=50,copy=50,fill=30",
			"FAKEHIP_STRICT=1", "FAKEHIP_IGNORE=leak"}, host, image, strconv.Itoa(seed), threads, "250", seconds)
		require.Equal(t, "exit 0", r.End, "seed %d: %s%s", seed, r.Stdout, r.Stderr)
		require.Empty(t, r.Stderr, "seed %d", seed)
		require.Regexp(t, `^[1-9]\d* programs of `+threads+` threads on 3 devices: `, r.Stdout)
	}
}
