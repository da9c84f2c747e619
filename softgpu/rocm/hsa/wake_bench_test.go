package hsa

import (
	"fmt"
	"runtime/debug"
	"slices"
	"syscall"
	"testing"
	"time"
)

// BenchmarkWake times a kernel of one wave, from the header of the packet of a queue that was idle for a while until the
// host sees its signal, and until the signal is stored. The quickest and the median of the rounds matter: others use the
// machine, too.
func BenchmarkWake(b *testing.B) {
	ringing.Lock()
	defer ringing.Unlock()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	for _, idle := range []time.Duration{0, 2 * time.Millisecond, 10 * time.Millisecond, 50 * time.Millisecond, 300 * time.Millisecond} {
		b.Run(fmt.Sprintf("after %v", idle), func(b *testing.B) {
			h := newHost(b, Options{})
			q := h.queueOn(firstGPU, 64)
			counter, done := h.alloc(firstGPU, 8), h.signal(1)
			object, args := h.object(counting), h.kernargs(counter)
			nap := syscall.NsecToTimespec(int64(idle)) // in the system, as a thread of the host's: Go's timers wake other threads
			var seen, stored []uint64
			for b.Loop() {
				store64(done+signalValue, 1)
				at := q.prepare3(object, args, [3]uint32{64, 1, 1}, [3]uint16{64, 1, 1}, done)
				_ = syscall.Nanosleep(&nap, nil)
				began := Now()
				q.announce(at, threeAxes)
				for load64(done+signalValue) != 0 {
				}
				seen, stored = append(seen, Now()-began), append(stored, load64(done+signalEnd)-began)
			}
			for name, took := range map[string][]uint64{"": seen, "stored-": stored} {
				slices.Sort(took)
				b.ReportMetric(float64(took[0])/1e3, name+"least-us")
				b.ReportMetric(float64(took[len(took)/2])/1e3, name+"median-us")
			}
		})
	}
}
