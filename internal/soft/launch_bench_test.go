package soft

import (
	"runtime"
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

func BenchmarkTiledMatmul(b *testing.B) {
	d := open(b, Options{})
	const n = 256
	f := kernel(b, d, image(b), "matmul")
	x, xv := buffer[float32](b, d, n*n)
	y, yv := buffer[float32](b, d, n*n)
	z, zv := buffer[float32](b, d, n*n)
	for i := range xv {
		xv[i], yv[i] = float32(i%7), float32(i%5)
	}
	l := driver.Launch{Grid: driver.Dim3{X: n / 16, Y: n / 16, Z: 1}, Block: driver.Dim3{X: 16, Y: 16, Z: 1}, Params: arguments(b, x, y, z, uint32(n))}
	before, cpu := d.Executed(), cpuSeconds()
	for b.Loop() {
		require.NoError(b, d.LaunchKernel(f, l))
		require.NoError(b, d.StreamSynchronize(0))
	}
	done := float64(d.Executed()-before) / 1e6
	b.ReportMetric(done/b.Elapsed().Seconds()/float64(min(runtime.NumCPU(), runtime.GOMAXPROCS(0))), "Minst/s/core")
	b.ReportMetric(done/(cpuSeconds()-cpu), "Minst/cpu-s") // does not suffer from who else uses the machine
	want := float32(0)
	for k := range n {
		want += xv[3*n+k] * yv[k*n+5]
	}
	require.Equal(b, want, zv[3*n+5])
}
