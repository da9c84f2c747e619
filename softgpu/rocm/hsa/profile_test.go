package hsa

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPacketsKernelsAreProfiled(t *testing.T) {
	h := newHost(t, Options{Profile: "counts"})
	q, counter, done := h.queueOn(firstGPU, 16), h.alloc(hostNode, page), h.signal(1)
	q.launch(h.object(counting), h.kernargs(counter), 100, 64, done)
	h.value(done, 0)
	require.EqualValues(t, 100, load64(counter)&0xffffffff)
	text, kernels := h.Profile()
	require.Contains(t, text, "1 launch, 2 waves, 12 instructions\n")
	require.Len(t, kernels, 1)
	var k struct {
		Workgroups uint64 `json:"workgroups"`
		Counts     struct {
			Bytes struct {
				Global struct {
					Updated uint64 `json:"updated"`
				} `json:"global"`
			} `json:"bytes"`
		} `json:"counts"`
	}
	require.NoError(t, json.Unmarshal(kernels[0], &k))
	require.EqualValues(t, 2, k.Workgroups)
	require.EqualValues(t, 100*4, k.Counts.Bytes.Global.Updated)
	_, err := Open(Options{Profile: "speed"})
	require.ErrorContains(t, err, `MGPU_PROFILE=speed: "speed" is not one of`)
}
