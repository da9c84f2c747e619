package softgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// BenchmarkChecking compares the tiled 256^3 matmul with and without a checker or a profile,
// in time on processors, one run of each after the other.
func BenchmarkChecking(b *testing.B) {
	const n = 256
	prepared := func(check, profile string) (multiply func() float64) {
		said := &reports{}
		d := open(b, Options{Check: check, Reports: said, Profile: profile})
		f := kernel(b, d, image(b), "matmul")
		x, xv := buffer[float32](b, d, n*n)
		y, yv := buffer[float32](b, d, n*n)
		z, _ := buffer[float32](b, d, n*n)
		for i := range xv {
			xv[i], yv[i] = float32(i%7), float32(i%5)
		}
		l := driver.Launch{Grid: driver.Dim3{X: n / 16, Y: n / 16, Z: 1}, Block: driver.Dim3{X: 16, Y: 16, Z: 1}, Params: arguments(b, x, y, z, uint32(n))}
		return func() float64 {
			began := cpuSeconds()
			require.NoError(b, d.LaunchKernel(f, l))
			require.NoError(b, d.StreamSynchronize(0))
			require.Empty(b, said.String())
			return cpuSeconds() - began
		}
	}
	for _, asked := range []struct{ check, profile string }{
		{"memory", ""}, {"uninit", ""}, {"race", ""}, {"wait", ""}, {"all", ""}, {"", "counts"}, {"", "fidelity"}, {"", "all"},
	} {
		name := asked.check
		if name == "" {
			name = "profile " + asked.profile
		}
		b.Run(name, func(b *testing.B) {
			plain, checked := prepared("", ""), prepared(asked.check, asked.profile)
			plain()
			checked()
			var without, with float64
			for b.Loop() {
				without += plain()
				with += checked()
			}
			b.ReportMetric(with/without, "x-slower")
			b.ReportMetric(0, "ns/op")
		})
	}
}
