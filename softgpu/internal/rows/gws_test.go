package rows

import (
	"encoding/binary"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// gwsWord is the first word of the instructions, without their offsets.
var gwsWord = map[string]uint32{
	"ds_gws_sema_release_all": 0xd9310000,
	"ds_gws_init":             0xd9330000,
	"ds_gws_sema_v":           0xd9350000,
	"ds_gws_sema_br":          0xd9370000,
	"ds_gws_sema_p":           0xd9390000,
	"ds_gws_barrier":          0xd93b0000,
}

// syncs gives waves of a queue their instructions.
type syncs struct {
	*testing.T
	queue *wave.GWS
}

func (s syncs) wave() *wave.Wave {
	w := &wave.Wave{V: make([]alu.Lanes, 2)}
	w.SetExec(0b1100)
	w.StartSync(s.queue)
	return w
}

// do executes an instruction on a resource, and reports whether the wave goes on.
func (s syncs) do(w *wave.Wave, name string, resource, number uint32) (goesOn bool) {
	s.Helper()
	data := map[string]uint64{"ds_gws_init": 1, "ds_gws_sema_br": 1, "ds_gws_barrier": 1}[name] // v1
	code := binary.LittleEndian.AppendUint64(nil, data<<32|uint64(gwsWord[name]|resource))
	i, err := Decode(code, 0, encoding.Gfx906)
	require.NoError(s, err)
	require.Equal(s, name, i.Row.Name)
	w.V[1] = alu.Lanes{7, 7, number, 7}
	w.PC, w.Status = 2, wave.Running
	Bind(&i, false)(w)
	if w.Status == wave.Yielded {
		assert.Zero(s, w.PC, "it comes back")
		return false
	}
	require.Equal(s, wave.Running, w.Status)
	assert.EqualValues(s, 2, w.PC)
	return true
}

func TestGlobalBarriersLetWavesGoTogetherAndAgain(t *testing.T) {
	s := syncs{t, new(wave.GWS)}
	require.True(t, s.do(s.wave(), "ds_gws_init", 5, 2))
	waves := []*wave.Wave{s.wave(), s.wave(), s.wave()}
	for range 3 {
		assert.False(t, s.do(waves[0], "ds_gws_barrier", 5, 2))
		assert.False(t, s.do(waves[1], "ds_gws_barrier", 5, 2))
		assert.False(t, s.do(waves[0], "ds_gws_barrier", 5, 2), "still waits, and is not counted twice")
		assert.True(t, s.do(waves[2], "ds_gws_barrier", 5, 2))
		// The first one comes to the next barrier before the second has left this one.
		assert.True(t, s.do(waves[0], "ds_gws_barrier", 5, 2))
		assert.False(t, s.do(waves[0], "ds_gws_barrier", 5, 2))
		assert.True(t, s.do(waves[1], "ds_gws_barrier", 5, 2))
		assert.False(t, s.do(waves[1], "ds_gws_barrier", 5, 2))
		assert.True(t, s.do(waves[2], "ds_gws_barrier", 5, 2))
		assert.True(t, s.do(waves[0], "ds_gws_barrier", 5, 2))
		assert.True(t, s.do(waves[1], "ds_gws_barrier", 5, 2))
	}
}

func TestGlobalSemaphoresCount(t *testing.T) {
	s := syncs{t, new(wave.GWS)}
	a, b := s.wave(), s.wave()
	assert.False(t, s.do(a, "ds_gws_sema_p", 1, 0))
	assert.True(t, s.do(b, "ds_gws_sema_v", 2, 0), "another resource")
	assert.False(t, s.do(a, "ds_gws_sema_p", 1, 0))
	assert.True(t, s.do(b, "ds_gws_sema_v", 1, 0))
	assert.True(t, s.do(a, "ds_gws_sema_p", 1, 0))
	assert.True(t, s.do(b, "ds_gws_sema_br", 1, 2))
	assert.True(t, s.do(a, "ds_gws_sema_p", 1, 0))
	assert.True(t, s.do(a, "ds_gws_sema_p", 1, 0))
	assert.False(t, s.do(a, "ds_gws_sema_p", 1, 0))
	assert.False(t, s.do(b, "ds_gws_sema_p", 1, 0))
	assert.True(t, s.do(s.wave(), "ds_gws_sema_release_all", 1, 0))
	assert.True(t, s.do(b, "ds_gws_sema_p", 1, 0))
	assert.True(t, s.do(a, "ds_gws_sema_p", 1, 0))
	assert.False(t, s.do(a, "ds_gws_sema_p", 1, 0))
}

func TestGlobalResourcesAreCountedFromM0(t *testing.T) {
	s := syncs{t, new(wave.GWS)}
	a := s.wave()
	a.S[wave.M0] = 3 << 16
	assert.True(t, s.do(a, "ds_gws_sema_v", 4, 0))
	assert.True(t, s.do(s.wave(), "ds_gws_sema_p", 7, 0))
}

func TestGlobalSyncNeedsACooperativeLaunch(t *testing.T) {
	i, err := Decode(binary.LittleEndian.AppendUint64(nil, uint64(gwsWord["ds_gws_sema_v"])), 0, encoding.Gfx906)
	require.NoError(t, err)
	w := &wave.Wave{}
	Bind(&i, false)(w)
	require.Equal(t, wave.Faulted, w.Status)
	assert.Contains(t, w.Fault.Reason, "not cooperative")
}
