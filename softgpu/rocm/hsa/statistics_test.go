package hsa

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestStatisticsCountKernelsAndMemory(t *testing.T) {
	h := newHost(t, Options{Stats: true, Profile: "counts"})
	q, counter, done := h.queueOn(firstGPU, 16), h.alloc(hostNode, page), h.signal(3)
	object := h.object(counting)
	q.launch(object, h.kernargs(counter), 100, 64, done)
	q.launch(object, h.kernargs(counter), 100, 64, done)
	q.launch(object, h.kernargs(counter), 64, 64, done)
	h.value(done, 0)
	require.True(t, h.Charge(firstGPU, 5000))
	h.Discharge(firstGPU, 5000)

	s := h.Statistics()
	require.Len(t, s.Kernels, 1)
	k := s.Kernels[0]
	require.EqualValues(t, 3, k.Launches)
	require.EqualValues(t, 3, k.Timed)
	require.NotZero(t, k.DeviceNS)
	require.Len(t, k.Shapes, 2)
	require.Equal(t, [3]uint32{2, 1, 1}, k.Shapes[0].Grid)
	require.Equal(t, [3]uint32{64, 1, 1}, k.Shapes[0].Block)
	require.EqualValues(t, 2, k.Shapes[0].Launches)
	require.Zero(t, s.Memory[0].Live)
	require.EqualValues(t, 5000, s.Memory[0].Peak)

	table := string(s.Table("rank 3"))
	require.Regexp(t, `(?m)^mgpu statistics of rank 3: HIP on the software GPU, device gfx906\n +kernel +launches +grid x block +time on device +us each +share\n`+
		` *\(kernels without a name\) +3 +2 shapes +[0-9.]+ ms +[0-9.]+ +100.0 %\nmemory of device 0: 0 bytes in use, 5000 at most\nmgpu profile`, table)
	text, err := json.Marshal(s)
	require.NoError(t, err)
	require.Contains(t, string(text), `"driver":"rocm","device":"gfx906","kernels":[{"name":"(kernels without a name)",`)
	require.NotContains(t, string(text), "null")

	require.Nil(t, newHost(t, Options{}).Statistics(), "not asked for")
	text, err = json.Marshal(newHost(t, Options{Stats: true}).Statistics())
	require.NoError(t, err)
	require.NotContains(t, string(text), "null", "nothing was launched")
}
