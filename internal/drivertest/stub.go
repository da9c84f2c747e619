package drivertest

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Stub builds testdata/stub.c, a driver's library in which nothing happens. Options for the compiler say what it lacks
// or does wrongly.
func Stub(t testing.TB, options ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libstub.so")
	line := append([]string{"-std=gnu11", "-w", "-shared", "-fPIC", "-o", path, "testdata/stub.c"}, options...)
	out, err := exec.Command("cc", line...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// NothingAllocates checks that calls of a driver over a stub allocate nothing on Go's heap. more, if not nil, makes
// further calls with a function and a stream.
func NothingAllocates(t *testing.T, d interface {
	driver.Driver
	driver.Waiter
}, more func(driver.Function, driver.Stream) error) {
	t.Helper()
	if more == nil {
		more = func(driver.Function, driver.Stream) error { return nil }
	}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		s, e1 := d.StreamCreate()
		e, e2 := d.EventCreate()
		_, e3 := d.StreamIdle(s)
		_, e4 := d.Device()
		p, e5 := d.MemAlloc(64)
		f, e6 := d.ModuleGetFunction(1, "name")
		for _, err := range [...]error{e1, e2, e3, e4, e5, e6, d.LaunchKernel(f, driver.Launch{Stream: s}), more(f, s), d.EventRecord(e, s),
			d.StreamWaitEvent(s, e), d.StreamSynchronize(s), d.Memcpy(p, p, 1, s), d.Memset32(p, 1, 16, s), d.MemFree(p), d.EventDestroy(e),
			d.StreamDestroy(s), d.Status("", 0)} {
			if err != nil {
				panic(err)
			}
		}
		if d.WaitStream(s).Fn == 0 {
			panic("no function to wait with")
		}
	}))
}
