package emu

import (
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

func disturbed(seed uint64) *Machine {
	m := NewMachine(encoding.Gfx906, nil)
	m.Disturb(seed)
	return m
}

func TestDisorderIsAnOrder(t *testing.T) {
	kinds := map[order]int{}
	for seed := range uint64(200) {
		groups, resident := 1+seed*7%300, int(1+seed*13%100)
		o := newDisorder(seed, 1, groups, resident)
		kinds[o.order]++
		var started []uint64
		for n := range groups {
			got := o.number(n)
			require.Equal(t, n/uint64(resident), got/uint64(resident), "it starts among those that the chip holds with it")
			started = append(started, got)
		}
		slices.Sort(started)
		for n, got := range started {
			require.EqualValues(t, n, got, "seed %d", seed)
		}
	}
	for k := range orders {
		assert.Greater(t, kinds[k], 20, "order %d", k)
	}
}

func TestADisturbedMachineRunsEveryWorkgroupOnceInOrdersOfItsSeed(t *testing.T) {
	const groups = 100
	orders := map[[2]uint32]bool{}
	for seed := range uint64(12) {
		var mu sync.Mutex
		var started []uint32
		p := program(func(w *wave.Wave) {
			mu.Lock()
			started = append(started, groupOf(w))
			mu.Unlock()
			end(w)
		})
		d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{groups, 1, 1}, Block: [3]uint32{64, 1, 1}}
		require.NoError(t, disturbed(seed+1).Run(d))
		orders[[2]uint32{started[0], started[1]}] = true
		slices.Sort(started)
		require.Len(t, slices.Compact(started), groups)
	}
	assert.Greater(t, len(orders), 5)
}

func TestWavesOfADisturbedMachinePassBarriersTogether(t *testing.T) {
	const waves, turns = 7, 200
	for seed := range uint64(8) {
		var here, ahead int
		steps := []encoding.Step{}
		for n := range turns {
			steps = append(steps, func(*wave.Wave) { here++ }, barrier, func(*wave.Wave) {
				if here < (n+1)*waves {
					ahead++
				}
			}, barrier)
		}
		p := program(append(steps, func(w *wave.Wave) { end(w) })...)
		d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{waves * 64, 1, 1}}
		require.NoError(t, disturbed(seed+1).Run(d))
		require.Equal(t, waves*turns, here)
		require.Zero(t, ahead)
	}
}

// Each workgroup waits for the one before it: that works on a chip, which starts them in order,
// and so on any number of cores here.
func TestWorkgroupsOfADisturbedMachineMayWaitForTheOneBefore(t *testing.T) {
	for seed := range uint64(6) {
		m := disturbed(seed + 1)
		m.limits.units = 2 // fewer than there are workgroups
		var over [300]atomic.Bool
		p := program(func(w *wave.Wave) {
			g := groupOf(w)
			if g > 0 && !over[g-1].Load() {
				w.PC--
				w.Status = wave.Yielded
				return
			}
			over[g].Store(true)
			end(w)
		})
		d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{uint32(len(over)), 1, 1}, Block: [3]uint32{64, 1, 1}}
		require.NoError(t, m.Run(d))
		for g := range over {
			require.True(t, over[g].Load())
		}
	}
}
