package rows

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// The words of instructions for barriers with a number, which is in M0 or 3.
const (
	signalM0, signal3   = 0xbe804e7d, 0xbe804e83
	firstM0             = 0xbe804f7d
	initM0, init3       = 0xbe80517d, 0xbe805183
	joinM0, join3       = 0xbe80527d, 0xbe805283
	stateM0             = 0xbe85507d // to s5
	waitNamed1, waitNot = 0xbf940001, 0xbf940000
)

func TestBarriersWithNumbersCountArrivals(t *testing.T) {
	b := &wave.Barrier{Members: 2, NamedCount: 4}
	waves := [2]*wave.Wave{newWave(), newWave()}
	for _, w := range waves {
		w.SetSize(true)
		w.JoinBarrier(b)
	}
	do := func(n int, m0, word uint32) *wave.Wave {
		i := mustDecode(t, encoding.Gfx1250.Wave32(), word)
		step := Bind(&i, false)
		require.NotNil(t, step, i.String())
		w := waves[n]
		w.S[wave.M0], w.PC, w.SCC = m0, 11, 7
		step(w)
		return w
	}
	passes := func(n int, word uint32) bool {
		w := do(n, 99, word)
		if w.Status == wave.Running {
			require.Equal(t, uint32(11), w.PC)
			return true
		}
		require.Equal(t, wave.AtBarrier, w.Status)
		require.Equal(t, uint32(10), w.PC, "the wait is repeated")
		w.Pass()
		require.Equal(t, wave.AtBarrier, w.Status)
		return false
	}
	state := func(number uint32) uint32 { return do(1, number, stateM0).S[5] }

	require.True(t, passes(0, waitNamed1), "the wave has joined none")
	do(0, 2<<16|3, initM0)
	require.Equal(t, uint32(1|2<<4), state(3))
	do(0, 0, join3)
	do(0, 77, signal3)
	require.Equal(t, uint32(1|2<<4|1<<16), state(3))
	require.False(t, passes(0, waitNamed1))
	require.True(t, passes(1, waitNamed1), "the wave has joined none")
	do(1, 3, joinM0)
	require.Equal(t, uint32(0), do(1, 3, firstM0).SCC)
	require.Equal(t, uint32(1|2<<4), state(3), "the second signal completes the phase")
	waves[0].Pass()
	require.Equal(t, wave.Running, waves[0].Status)
	require.True(t, passes(0, waitNamed1))
	require.False(t, passes(0, waitNamed1), "the next phase")
	require.True(t, passes(1, waitNamed1))
	require.True(t, passes(1, waitNot), "the wait for no barrier")
	require.Equal(t, uint32(1), do(1, 1<<16|3, firstM0).SCC, "one is expected now, and has come")
	waves[0].Pass()
	require.True(t, passes(0, waitNamed1))
	require.Equal(t, uint32(1|1<<4), state(3))
	do(1, 0, joinM0)
	require.True(t, passes(1, waitNamed1), "the wave has left the barrier for none")
	do(1, 0, signalM0)
	do(1, 5<<16, init3)
	require.Equal(t, uint32(1|5<<4), state(3))
	do(1, 0, signal3)
	do(1, 0, init3)
	require.Equal(t, uint32(1|5<<4), state(3), "no new number, and no arrivals")

	do(0, 5, signalM0)
	require.Equal(t, "barrier 5 is used in a workgroup that has 4 with a number", waves[0].Fault.Reason)
	do(1, 4, signalM0)
	require.Equal(t, "barrier 4 is signaled, but was not initialized", waves[1].Fault.Reason)
	waves[0].Status, waves[0].Fault = wave.Running, nil
	do(0, 0, signal3)
	do(0, 1<<16|3, signalM0)
	require.Equal(t, "barrier 3 expects 1 signals, after 1 of them", waves[0].Fault.Reason)
}

// TestBarriersWithNumbersThatAreRefused are those of RDNA4, whose kernels can't ask for them, and what is not known.
func TestBarriersWithNumbersThatAreRefused(t *testing.T) {
	for _, word := range []uint32{signalM0, signal3, firstM0, init3, joinM0, stateM0, waitNamed1} {
		i := mustDecode(t, encoding.Gfx1200.Wave32(), word)
		require.Nil(t, Bind(&i, false), i.String())
	}
	for text, word := range map[string]uint32{
		"s_barrier_signal -2": 0xbe804ec2, "s_barrier_signal 17": 0xbe804e91, "s_barrier_join -1": 0xbe8052c1, "s_barrier_init -1": 0xbe8051c1,
		"s_barrier_wait 0xfffe": 0xbf94fffe, "s_barrier_wait 17": 0xbf940011, "s_barrier_leave": 0xbf950000, "s_wakeup_barrier m0": 0xbe80577d,
	} {
		i := mustDecode(t, encoding.Gfx1250.Wave32(), word)
		require.Equal(t, text, i.String())
		require.True(t, i.Row.Do == nil || Bind(&i, false) == nil, text)
	}
}
