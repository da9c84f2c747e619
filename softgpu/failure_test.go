package softgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// wrong launches a kernel on s that writes to an address that is not mapped.
func wrong(t *testing.T, d *Driver, f driver.Function, s driver.Stream) {
	t.Helper()
	require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: arguments(t, driver.Ptr(4096), uint32(0), uint32(1))}))
}

func recorded(t *testing.T, d *Driver, s driver.Stream) driver.Event {
	t.Helper()
	e, err := d.EventCreate()
	require.NoError(t, err)
	require.NoError(t, d.EventRecord(e, s))
	return e
}

// settled returns once s has nothing to do, without asking for its failures.
func settled(t *testing.T, d *Driver, s driver.Stream) {
	t.Helper()
	of, err := d.stream("", s)
	require.NoError(t, err)
	of.last().wait()
}

// What fails is reported once, by whatever waits for it, directly or through
// others: whether the waiting begins before the failure or after it.
func TestFailuresComeThroughWaitsForOtherStreams(t *testing.T) {
	for _, late := range []bool{false, true} {
		d := open(t, Options{})
		f := kernel(t, d, image(t), "poke")
		a, b, c := newTestStream(t, d), newTestStream(t, d), newTestStream(t, d)
		waiting := func(s driver.Stream, e driver.Event) {
			require.NoError(t, d.StreamWaitEvent(s, e))
			if late {
				settled(t, d, s)
			}
		}
		for name, report := range map[string]func() error{
			"synchronize": func() error { return d.StreamSynchronize(c) },
			"event":       func() error { return d.EventSynchronize(recorded(t, d, c)) },
			"device":      d.DeviceSynchronize,
			"null stream": func() error { return d.EventSynchronize(recorded(t, d, 0)) },
			"download": func() error {
				p, _ := buffer[uint32](t, d, 1)
				to, _ := host(t, 1)
				return d.Memcpy(to, p, 4, c)
			},
			"destruction": func() error {
				settled(t, d, c)
				defer func() { c = newTestStream(t, d) }()
				return d.StreamDestroy(c)
			},
		} {
			wrong(t, d, f, a)
			if late {
				settled(t, d, a)
			}
			waiting(b, recorded(t, d, a))
			waiting(c, recorded(t, d, b))
			require.ErrorIs(t, report(), driver.LaunchFailure, "%s, late: %v", name, late)
			for _, s := range []driver.Stream{a, b, c, 0} {
				require.NoError(t, d.StreamSynchronize(s), "%s, late: %v", name, late)
			}
		}
		require.Empty(t, d.Failures(nil))
	}
}

// The library makes queries for its own use: their findings are left to the program's waits.
func TestQueriesDoNotTakeFailures(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	a := newTestStream(t, d)
	wrong(t, d, f, a)
	after := recorded(t, d, a)
	settled(t, d, a)
	for range 3 {
		_, err := d.StreamIdle(a)
		require.ErrorIs(t, err, driver.LaunchFailure)
		_, err = d.EventDone(after)
		require.ErrorIs(t, err, driver.LaunchFailure)
	}
	require.ErrorIs(t, d.StreamSynchronize(a), driver.LaunchFailure)
	_, err := d.StreamIdle(a)
	require.NoError(t, err)
}

// An event stands for the work before its record only.
func TestFailuresBehindAnEventDoNotComeThroughIt(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	a, b := newTestStream(t, d), newTestStream(t, d)
	e := recorded(t, d, a)
	g := hold(t, d, a)
	after := recorded(t, d, a)
	wrong(t, d, f, a)
	require.NoError(t, d.StreamWaitEvent(b, e))
	require.NoError(t, d.StreamWaitEvent(b, after))
	g.open()
	settled(t, d, a)
	require.NoError(t, d.StreamSynchronize(b))
	require.NoError(t, d.StreamWaitEvent(b, after))
	require.NoError(t, d.StreamSynchronize(b))
	require.ErrorIs(t, d.StreamSynchronize(a), driver.LaunchFailure)
}

func TestWorkBehindTheNullStreamHearsOfItsFailures(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	a := newTestStream(t, d)
	p, _ := buffer[uint32](t, d, 1)
	for _, late := range []bool{false, true} {
		wrong(t, d, f, 0)
		if late {
			settled(t, d, 0)
		}
		require.NoError(t, d.Memset32(p, 1, 1, a))
		require.ErrorIs(t, d.StreamSynchronize(a), driver.LaunchFailure, late)
		require.NoError(t, d.StreamSynchronize(0))
	}
}

// Each of two failures is reported, by the call that waits for both.
func TestSeveralFailuresAreReportedOneByOne(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	a, b := newTestStream(t, d), newTestStream(t, d)
	wrong(t, d, f, a)
	wrong(t, d, f, b)
	require.NoError(t, d.StreamWaitEvent(b, recorded(t, d, a)))
	require.ErrorIs(t, d.StreamSynchronize(b), driver.LaunchFailure)
	require.ErrorIs(t, d.StreamSynchronize(b), driver.LaunchFailure)
	require.NoError(t, d.StreamSynchronize(b))
	require.NoError(t, d.StreamSynchronize(a))
}

func TestWhatNobodyAskedForIsLeftForTheEnd(t *testing.T) {
	d := open(t, Options{Devices: 2})
	f := kernel(t, d, image(t), "poke")
	streams := []driver.Stream{newTestStream(t, d), newTestStream(t, d), newTestStream(t, d), 0}
	g := hold(t, d, streams[2])
	for _, s := range streams {
		wrong(t, d, f, s)
	}
	require.NoError(t, d.StreamDestroy(streams[2])) // it has work
	settled(t, d, streams[0])
	settled(t, d, streams[1])
	require.Len(t, d.Failures(nil), 2, "what waits for the gate has not failed yet")
	asked := 0
	all := d.Failures(func() bool {
		if asked++; asked == 1 {
			g.open()
		}
		return true
	})
	require.Len(t, all, 2)
	for _, err := range all {
		assert.ErrorIs(t, err, driver.LaunchFailure)
	}
	require.Positive(t, asked)
	require.Empty(t, d.Failures(nil))
}
