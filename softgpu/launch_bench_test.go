package softgpu

import (
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// cpuSeconds is the time that the process has spent on processors.
func cpuSeconds() float64 {
	var r syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return float64(r.Utime.Sec+r.Stime.Sec) + float64(r.Utime.Usec+r.Stime.Usec)/1e6
}

func BenchmarkLaunchAndSynchronizeEmptyKernel(b *testing.B) {
	d := open(b, Options{})
	f := kernel(b, d, image(b), "empty")
	s := newTestStream(b, d)
	l := driver.Launch{Grid: d1(1), Block: d1(64), Stream: s}
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, d.LaunchKernel(f, l))
		require.NoError(b, d.StreamSynchronize(s))
	}
}

func BenchmarkVectorAdd(b *testing.B) {
	d := open(b, Options{})
	const n = 1 << 16
	f := kernel(b, d, image(b), "vector_add")
	x, _ := buffer[float32](b, d, n)
	y, _ := buffer[float32](b, d, n)
	l := driver.Launch{Grid: d1(n / 256), Block: d1(256), Params: arguments(b, x, x, y, uint32(n))}
	b.SetBytes(n * 12)
	b.ReportAllocs()
	for b.Loop() {
		require.NoError(b, d.LaunchKernel(f, l))
		require.NoError(b, d.StreamSynchronize(0))
	}
}

func BenchmarkModuleLoad(b *testing.B) {
	d := open(b, Options{})
	code := image(b)
	b.ReportAllocs()
	for b.Loop() {
		m, err := d.ModuleLoad(code)
		require.NoError(b, err)
		require.NoError(b, d.ModuleUnload(m))
	}
}
