package hsa

import (
	"fmt"
	"slices"
	"testing"
	"time"
)

// BenchmarkWake times a kernel of one wave, from the store to the doorbell of a queue that was idle for a while until
// the host sees its signal. The quickest and the median of the rounds matter: others use the machine, too.
func BenchmarkWake(b *testing.B) {
	for _, idle := range []time.Duration{0, 2 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond, 300 * time.Millisecond} {
		b.Run(fmt.Sprintf("after %v", idle), func(b *testing.B) {
			h := newHost(b, Options{})
			q := h.queueOn(firstGPU, 64)
			counter, done := h.alloc(firstGPU, 8), h.signal(1)
			object, args := h.object(counting), h.kernargs(counter)
			var took []time.Duration
			for b.Loop() {
				store64(done+signalValue, 1)
				time.Sleep(idle)
				began := time.Now()
				q.launch(object, args, 64, 64, done)
				for load64(done+signalValue) != 0 {
				}
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[0].Nanoseconds())/1e3, "least-us")
			b.ReportMetric(float64(took[len(took)/2].Nanoseconds())/1e3, "median-us")
		})
	}
}
