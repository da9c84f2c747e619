package mgpu

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/null"
)

// recording is a Runtime over the driver that does nothing, with a stream and a
// function.
func recording(t testing.TB) (h *host, stream, function uintptr) {
	t.Helper()
	h = over(null.Open(null.Options{}), Config{})
	stream = h.StreamCreate()
	function = 0x500
	h.nameKernel(function, 1, "kernel")
	f, _ := h.enterGraphs("test")
	h.kernelOf(function).facts.Store(&facts{})
	_ = f
	return h, stream, function
}

func BenchmarkRecordedLaunch(b *testing.B) {
	h, stream, function := recording(b)
	l := &Launch{Function: function, Grid: Dims{1, 1, 1}, Block: Dims{64, 1, 1}, Stream: stream}
	for b.Loop() {
		id := h.GraphBegin(1, 0)
		for range 128 {
			h.RecordLaunch(id, l)
		}
		h.GraphEnd(id)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/128, "ns/launch")
}
