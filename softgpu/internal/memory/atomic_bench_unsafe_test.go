package memory

import (
	"runtime"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
)

// BenchmarkReplaceRow times what bounds atomics on a word for each lane: locked instructions for 64 words.
func BenchmarkReplaceRow(b *testing.B) {
	mem := &samples.Memory{}
	_, base := mem.Add(256, true)
	var zeros alu.Lanes
	for range b.N {
		if replaceRow(base, &zeros, &zeros, 0, 64) != 64 {
			b.Fatal("the words have changed")
		}
	}
	runtime.KeepAlive(mem)
}
