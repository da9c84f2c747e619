package mgpu

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/timeline"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// timedDriver is a driver with one device, on which each launch takes some time. Its clock advances only then.
type timedDriver struct {
	*MockDriver
	clock     int64
	events    map[driver.Event]int64
	records   int
	busy      bool // nothing is done
	capturing driver.Stream
	without   error // of EventElapsed
}

const launchTakes = 1000

func (d *timedDriver) Device() (int, error)                    { return 0, nil }
func (d *timedDriver) StreamCreate() (driver.Stream, error)    { return 99, nil }
func (d *timedDriver) StreamDestroy(driver.Stream) error       { return nil }
func (d *timedDriver) EventSynchronize(driver.Event) error     { return nil }
func (d *timedDriver) EventDone(driver.Event) (bool, error)    { return !d.busy, nil }
func (d *timedDriver) Capturing(s driver.Stream) (bool, error) { return s == d.capturing, nil }
func (*timedDriver) EndCapture(driver.Stream) bool             { return false }

func (d *timedDriver) CaptureMode(mode uint32) (uint32, error) { return mode, nil }
func (d *timedDriver) TimedEventCreate() (driver.Event, error) {
	e := driver.Event(len(d.events) + 1)
	d.events[e] = 0
	return e, nil
}

func (d *timedDriver) EventRecord(e driver.Event, _ driver.Stream) error {
	d.records++
	d.events[e] = d.clock
	return nil
}

func (d *timedDriver) LaunchKernel(driver.Function, driver.Launch) error {
	d.clock += launchTakes
	return nil
}

func (d *timedDriver) EventElapsed(from, to driver.Event) (int64, error) {
	return d.events[to] - d.events[from], d.without
}

// timedMeter returns a meter that times work, its recorder, and the lines that were printed.
func timedMeter(t *testing.T, d *timedDriver) (m *meter, to *trace.Recorder, told *[]string) {
	t.Helper()
	d.events, d.capturing, told = map[driver.Event]int64{}, 1000, new([]string)
	to, err := trace.New(trace.Options{File: filepath.Join(t.TempDir(), "t.json"), Process: 1, Rank: -1})
	require.NoError(t, err)
	to.Driver("hip", []string{"gfx906"})
	to.Kernel(5, "saxpy")
	k := &core{drv: d, devices: 1, pool: streampool.New(streampool.Config{Devices: 1})}
	s := &stats{trace: new(trace.Switch), timing: true}
	s.trace.Set(to)
	times := newEventTimes(d, 1, k.capturesAny, func(line string) { *told = append(*told, line) })
	return &meter{drv: d, stats: s, times: times}, to, told
}

// kernelTimes returns the durations of the devices' slices in the timeline, in nanoseconds.
func kernelTimes(t *testing.T, to *trace.Recorder) (took []float64) {
	t.Helper()
	until := to.Now()
	d, err := timeline.Load(to.Finish().File)
	require.NoError(t, err)
	for _, e := range d.Events {
		if e.Category == "kernel" {
			assert.Equal(t, "saxpy", e.Name)
			took = append(took, e.Took*1000)
			assert.Positive(t, e.At)
			assert.LessOrEqual(t, int64((e.At+e.Took)*1000), until-d.Other.Monotonic+1)
		}
	}
	return took
}

func TestLaunchesAreTimedByEvents(t *testing.T) {
	d := &timedDriver{}
	m, to, told := timedMeter(t, d)
	for range 3 {
		require.NoError(t, m.LaunchKernel(5, driver.Launch{Stream: 7}))
	}
	d.busy = true
	m.times.collect(m)
	assert.Len(t, m.times.(*eventTimes).devices[0].open, 3, "nothing is done yet, and no call waits")
	d.busy = false
	m.times.collect(m)
	assert.Empty(t, m.times.(*eventTimes).devices[0].open)
	for range 10 {
		require.NoError(t, m.LaunchKernel(5, driver.Launch{Stream: 7}))
		m.times.collect(m)
	}
	assert.LessOrEqual(t, len(d.events), 8, "events are used again")
	assert.Empty(t, *told)
	assert.EqualValues(t, 13*launchTakes, m.stats.kernels.counts.Of(m.stats.kernels.name(5)).DeviceNS, "statistics get the times too")
	took := kernelTimes(t, to)
	require.Len(t, took, 13)
	for _, ns := range took {
		assert.InDelta(t, launchTakes, ns, 1)
	}
}

// A capture would include the events' records, or end.
func TestNothingIsTimedWhileTheProgramCaptures(t *testing.T) {
	d := &timedDriver{}
	m, to, _ := timedMeter(t, d)
	d.capturing = 7
	require.NoError(t, m.LaunchKernel(5, driver.Launch{Stream: 7}))
	assert.Zero(t, d.records)
	assert.Empty(t, d.events)
	d.capturing = 1000
	require.NoError(t, m.LaunchKernel(5, driver.Launch{Stream: 7}))
	assert.Equal(t, 3, d.records)
	m.times.collect(m)
	require.Len(t, kernelTimes(t, to), 1)
}

func TestADriverWhoseEventsDoNotTimeIsToldOnce(t *testing.T) {
	d := &timedDriver{without: &driver.Error{Call: "hipEventElapsedTime", Code: driver.NotSupported, Detail: "no such function"}}
	m, to, told := timedMeter(t, d)
	for range 3 {
		require.NoError(t, m.LaunchKernel(5, driver.Launch{Stream: 7}))
		m.times.collect(m)
	}
	require.Len(t, *told, 1)
	assert.Contains(t, (*told)[0], "mgpu: trace: no times by events: 'hipEventElapsedTime' failed")
	assert.Empty(t, kernelTimes(t, to))
}

func TestTimesLieBetweenSubmissionAndNow(t *testing.T) {
	d := &timedDriver{}
	m, to, _ := timedMeter(t, d)
	for _, jump := range []int64{-1e9, 1e12, 0} { // of the device's clock
		require.NoError(t, m.LaunchKernel(5, driver.Launch{Stream: 7}))
		m.times.collect(m)
		d.clock += jump
	}
	require.Len(t, kernelTimes(t, to), 3)
}
