package emu

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// group is the x coordinate of a wave's workgroup, for kernels made by inGroups.
func groupOf(w *wave.Wave) uint32 { return w.S[0] }

var inGroups = codeobj.Descriptor{WorkgroupIDX: true}

func TestEveryWorkgroupRunsOnce(t *testing.T) {
	const groups = 1000
	var ran [groups]atomic.Int32
	p := program(func(w *wave.Wave) { ran[groupOf(w)].Add(1); end(w) })
	d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{groups, 1, 1}, Block: [3]uint32{64, 1, 1}}
	m := NewMachine(encoding.Gfx906, nil)
	for run := range int32(3) {
		require.NoError(t, m.Run(d))
		for i := range ran {
			require.Equal(t, run+1, ran[i].Load(), "workgroup %d", i)
		}
	}
}

func TestWavesPassABarrierTogether(t *testing.T) {
	const waves = 5
	var before, after int
	p := program(
		func(*wave.Wave) { before++ },
		barrier,
		func(*wave.Wave) { assert.Equal(t, waves, before); after++ },
		barrier,
		func(w *wave.Wave) { assert.Equal(t, waves, after); end(w) },
	)
	d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{waves * 64, 1, 1}}
	require.NoError(t, NewMachine(encoding.Gfx906, nil).Run(d))
	assert.Equal(t, waves, after)
}

func TestWavesThatEndedDoNotCountAtABarrier(t *testing.T) {
	// Every second wave ends, before the others get to the barrier or after.
	for odd := range uint32(2) {
		passed := 0
		p := program(
			func(w *wave.Wave) {
				if w.V[0][0]/64%2 == odd {
					end(w)
				}
			},
			barrier,
			func(w *wave.Wave) { passed++; end(w) },
		)
		d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{256, 1, 1}}
		require.NoError(t, NewMachine(encoding.Gfx906, nil).Run(d))
		assert.Equal(t, 2, passed)
	}
}

// lastToEnd runs a workgroup of four waves, of which each in turn is the last to end, when the others have waited for a
// round: they join and wait before they pass, and it signals before it ends.
func lastToEnd(t *testing.T, join, signal, wait func(*wave.Wave)) {
	for _, last := range []uint32{0, 1, 3} {
		turns, passed := 0, 0
		p := program(
			func(w *wave.Wave) {
				if w.V[0][0]/64 != last {
					join(w)
					return
				}
				if turns++; turns == 3 {
					signal(w)
					end(w)
					return
				}
				w.PC--
				w.Status = wave.Yielded
			},
			wait,
			func(w *wave.Wave) { passed++; end(w) },
		)
		d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{256, 1, 1}}
		require.NoError(t, NewMachine(encoding.Gfx906, nil).Run(d))
		require.Equal(t, 3, passed)
	}
}

func TestTheLastWaveToEndLetsTheOthersPassTheBarrier(t *testing.T) {
	nothing := func(*wave.Wave) {}
	lastToEnd(t, nothing, nothing, barrier)
}

func TestASignalOfTheLastWaveLetsTheOthersPassTheBarrierWithANumber(t *testing.T) {
	lastToEnd(t, func(w *wave.Wave) { w.JoinNamed(1) }, func(w *wave.Wave) { w.Signal(1, 1) }, func(w *wave.Wave) { w.WaitNamed(1) })
}

func TestWorkgroupsThatWaitForEachOtherAreAllResident(t *testing.T) {
	for name, pause := range map[string]wave.Status{"busily": wave.Running, "asleep": wave.Yielded} {
		t.Run(name, func(t *testing.T) {
			var here atomic.Int32
			m := NewMachine(encoding.Gfx906, nil)
			var p *Program
			var groups int32
			p = program(
				func(*wave.Wave) { here.Add(1) },
				func(w *wave.Wave) {
					if here.Load() < groups {
						w.PC--
						w.Status = pause
					}
				},
				end,
			)
			k := newKernel(t, p, codeobj.Descriptor{WorkgroupIDX: true, VGPRs: 256, GroupSize: 64 << 10})
			groups = int32(m.Resident(k, [3]uint32{256, 1, 1}, 0))
			assert.Equal(t, int32(60), groups, "one workgroup fills a compute unit")
			if pause == wave.Running {
				groups = 16 // enough, and the race detector is slow
			}
			d := &Dispatch{Kernel: k, Grid: [3]uint32{uint32(groups), 1, 1}, Block: [3]uint32{256, 1, 1}}
			here.Store(-3 * groups) // four waves in each
			require.NoError(t, m.Run(d))
		})
	}
}

func TestRegistersAndLDSStartAtZero(t *testing.T) {
	p := program(func(w *wave.Wave) {
		if w.LDS[100] != 0 || w.V[3][9] != 0 || w.S[50]|w.S[wave.FlatScratch11+1] != 0 || w.SCC != 0 || w.Vcc() != 0 {
			panic("something of another workgroup is left")
		}
		w.LDS[100], w.V[3][9], w.S[50], w.S[wave.FlatScratch11+1], w.SCC, w.S[wave.VccLo] = 1, 1, 1, 1, 1, 1
		end(w)
	})
	k := newKernel(t, p, codeobj.Descriptor{GroupSize: 100})
	d := &Dispatch{Kernel: k, Grid: [3]uint32{50, 1, 1}, Block: [3]uint32{64, 1, 1}, LDS: 28}
	require.NoError(t, NewMachine(encoding.Gfx906, nil).Run(d))
}

func TestFaultNamesItsPlace(t *testing.T) {
	p := program(
		func(*wave.Wave) {},
		func(w *wave.Wave) {
			if groupOf(w) == 2 && w.V[0][0] == 4 {
				w.Status, w.Fault = wave.Faulted, &wave.Fault{Reason: "test", Lane: 5, Addr: 0x99}
			}
		},
		end,
	)
	p.ranges, p.ends = []Range{{"before", 0, 4}, {"f", 4, 12}}, []uint32{4, 12}
	k := newKernel(t, p, codeobj.Descriptor{WorkgroupIDX: true, WorkItemIDs: 2})
	d := &Dispatch{Kernel: k, Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{10, 10, 2}}
	err := NewMachine(encoding.Gfx906, nil).Run(d)
	var f *Fault
	require.ErrorAs(t, err, &f)
	f.Instruction = ""
	assert.Equal(t, &Fault{Kernel: "k", Function: "f", Offset: 0, PC: 1, Group: [3]uint32{2, 0, 0}, Wave: 1, Lane: 5,
		Item: [3]uint32{9, 6, 0}, Addr: 0x99, Reason: "test", Words: []uint32{0}}, f)
	assert.Equal(t, "kernel k: test, address 0x99 at f+0x0, workgroup (2,0,0), work-item (9,6,0), wave 1 lane 5", f.Error())
}

func TestAPanicInAnInstructionIsItsFault(t *testing.T) {
	p := program(func(*wave.Wave) {}, func(w *wave.Wave) { w.V[9][0] = 1 }, end)
	err := NewMachine(encoding.Gfx906, nil).Run(&Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}})
	var f *Fault
	require.ErrorAs(t, err, &f)
	assert.Equal(t, uint32(4), f.Offset)
	assert.Contains(t, f.Reason, "instruction failed: ")
}

func TestAFaultEndsWavesThatNeverWould(t *testing.T) {
	p := program(func(w *wave.Wave) {
		if groupOf(w) == 7 {
			w.Status, w.Fault = wave.Faulted, &wave.Fault{Reason: "test", Lane: -1}
		}
		w.PC--
	}, end)
	d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{100, 1, 1}, Block: [3]uint32{64, 1, 1}}
	err := NewMachine(encoding.Gfx906, nil).Run(d)
	var f *Fault
	require.ErrorAs(t, err, &f)
	assert.Equal(t, [3]uint32{7, 0, 0}, f.Group)
}

func TestLaunchingAgainAllocatesNothing(t *testing.T) {
	p := program(end)
	d := &Dispatch{Kernel: newKernel(t, p, inGroups), Grid: [3]uint32{3, 1, 1}, Block: [3]uint32{128, 1, 1}}
	m := NewMachine(encoding.Gfx906, nil)
	assert.Zero(t, testing.AllocsPerRun(100, func() {
		if m.Run(d) != nil {
			panic("failed")
		}
	}))
}

func BenchmarkEmptyDispatch(b *testing.B) {
	p := program(end)
	k, _ := NewKernel(p, "k", &codeobj.Descriptor{VGPRs: 4, FloatMode: 0xc0}, p.base)
	d := &Dispatch{Kernel: k, Grid: [3]uint32{1, 1, 1}, Block: [3]uint32{64, 1, 1}}
	m := NewMachine(encoding.Gfx906, nil)
	for b.Loop() {
		if err := m.Run(d); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkInstruction(b *testing.B) {
	p := program(func(*wave.Wave) {}, func(w *wave.Wave) { w.PC = 0 })
	var w wave.Wave
	d := new(Dispatch)
	for b.Loop() {
		p.run(&w, 1000, d, new(cursor))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/instruction")
}
