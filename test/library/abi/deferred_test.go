package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestAConstructorsLoadWaitsForTheFirstFunction(t *testing.T) {
	host := linked(t, "deferred.c")
	t.Run("never asked for", func(t *testing.T) {
		r := chost.Run(t, []string{"MGPU_DRIVER=none", "MGPU_STATS=1"}, host)
		clean(t, r)
		require.Equal(t, "1 thread\n", r.Stdout, "no runtime starts, no driver is opened")
	})
	t.Run("fork", func(t *testing.T) {
		r := chost.Run(t, []string{soft}, host, "fork")
		clean(t, r)
		require.Equal(t, "1 thread\ndevice 0: 7\ndevice 0: 7\n", r.Stdout)
	})
	t.Run("devices", func(t *testing.T) {
		r := chost.Run(t, []string{soft, devices3}, host, "devices")
		clean(t, r)
		require.Equal(t, "1 thread\ndevice 1: 7\ndevice 0: 7\ndevice 2: 7\ndevice 1: 7\ndevice 2: 7\n", r.Stdout)
	})
	t.Run("a bad image", func(t *testing.T) {
		r := chost.Run(t, []string{soft}, host, "bad")
		require.Equal(t, "exit 0", r.End)
		require.Equal(t, "1 thread\n(nil)\n", r.Stdout)
		require.Regexp(t, `^'mgpuModuleLoad\(0x\w+\)' failed with 'hipErrorInvalidImage': `, r.Lines()[0])
	})
	t.Run("as stock", func(t *testing.T) {
		r := chost.Run(t, []string{soft, "MGPU_CACHE=off"}, host)
		require.Equal(t, "exit 0", r.End)
		require.Regexp(t, `^'mgpuModuleLoad\(0x\w+\)' failed with 'hipErrorInvalidImage': `, r.Lines()[0])
		require.False(t, strings.HasPrefix(r.Stdout, "1 thread"))
	})
}
