package softgpu

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// BenchmarkWorkgroups tells what a workgroup that does nothing costs, by the LDS that it may use.
func BenchmarkWorkgroups(b *testing.B) {
	const groups = 1 << 12
	for _, c := range []struct{ block, lds uint32 }{{64, 0}, {64, 4 << 10}, {64, 64 << 10}, {256, 0}} {
		b.Run(fmt.Sprintf("%d_items_%d_KiB", c.block, c.lds>>10), func(b *testing.B) {
			d := open(b, Options{})
			f := kernel(b, d, image(b), "empty")
			l := driver.Launch{Grid: d1(groups), Block: d1(c.block), SharedBytes: c.lds}
			require.NoError(b, d.LaunchKernel(f, l))
			require.NoError(b, d.StreamSynchronize(0))
			cpu := cpuSeconds()
			for b.Loop() {
				require.NoError(b, d.LaunchKernel(f, l))
				require.NoError(b, d.StreamSynchronize(0))
			}
			b.ReportMetric((cpuSeconds()-cpu)*1e9/float64(b.N)/groups, "cpu-ns/workgroup")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkHostBesideAKernel tells how long calls take that ask nothing of a kernel, while one runs on all cores.
func BenchmarkHostBesideAKernel(b *testing.B) {
	const n = 512
	d := open(b, Options{})
	f := kernel(b, d, image(b), "matmul")
	x, _ := buffer[float32](b, d, n*n)
	l := driver.Launch{Grid: driver.Dim3{X: n / 16, Y: n / 16, Z: 1}, Block: driver.Dim3{X: 16, Y: 16, Z: 1}, Params: arguments(b, x, x, x, uint32(n))}
	var took []time.Duration
	for b.Loop() {
		require.NoError(b, d.LaunchKernel(f, l))
		s, err := d.StreamCreate()
		require.NoError(b, err)
		for range 100 {
			began := time.Now()
			_, err := d.StreamIdle(s)
			took = append(took, time.Since(began))
			require.NoError(b, err)
			runtime.Gosched()
		}
		require.NoError(b, d.StreamDestroy(s))
		require.NoError(b, d.StreamSynchronize(0))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "median-ns")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds())/1e3, "us-99%")
	b.ReportMetric(0, "ns/op")
}
