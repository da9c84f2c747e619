package streampool

import (
	"errors"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A handle that is checked out again is a new stream for the program, so its misuse is reported again.
func TestEachCheckOutHasItsOwnReport(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil).Times(1)
	p := New(Config{})
	want := Created
	for range 3 {
		s := get(t, p, d, 0, want)
		want = Reused
		require.NoError(t, p.Misuse(nil, "mgpuLaunchKernel"))
		putSynchronized(t, p, d, s, Pooled)
		_, err := p.Put(d, s)
		require.ErrorContains(t, err, "destroyed before")
		_, err = p.Put(d, s)
		require.NoError(t, err)
	}
}

var errBroken = &driver.Error{Call: "hipStreamCreate", Name: "hipErrorOutOfMemory", Code: driver.OutOfMemory}

func TestDoubleDestroyIsReportedOnceAndHarmless(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil).Times(1)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	putSynchronized(t, p, d, s, Pooled)
	o, err := p.Put(d, s)
	require.Equal(t, WasStale, o)
	require.ErrorIs(t, err, driver.InvalidHandle)
	require.ErrorContains(t, err, "0x100")
	require.ErrorContains(t, err, "destroyed before")
	o, err = p.Put(d, s)
	require.Equal(t, WasStale, o)
	require.NoError(t, err, "reported once")
	require.Equal(t, 1, p.Stats(Stream, 0).Idle, "or two owners would share it")
}

func TestUseAfterDestroyIsSeen(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	e := p.Find(uintptr(s))
	require.False(t, e.Stale())
	putSynchronized(t, p, d, s, Pooled)
	require.True(t, e.Stale())
	require.ErrorContains(t, p.Misuse(e, "mgpuLaunchKernel"), "mgpuLaunchKernel(0x100)")
	require.NoError(t, p.Misuse(e, "mgpuLaunchKernel"))
	get(t, p, d, 0, Reused)
	require.False(t, e.Stale())
}

func TestForeignHandlesPassUntouched(t *testing.T) {
	d := newMock(t)
	p := New(Config{})
	bad := &driver.Error{Call: "hipStreamDestroy", Name: "hipErrorContextIsDestroyed", Code: driver.InvalidHandle}
	d.EXPECT().StreamDestroy(driver.Stream(0)).Return(bad)
	d.EXPECT().EventDestroy(driver.Event(0x777)).Return(nil)
	o, err := p.Put(d, 0)
	require.Equal(t, PassedOn, o)
	require.Equal(t, error(bad), err)
	o, err = p.PutEvent(d, 0x777)
	require.Equal(t, PassedOn, o)
	require.NoError(t, err)

	foreign := p.Find(0x777)
	require.Nil(t, foreign)
	require.Equal(t, Foreign, foreign.State())
	require.False(t, foreign.Stale())
	foreign.Submitted()
	foreign.Synchronized(foreign.Submissions())
	require.NoError(t, p.Misuse(foreign, "x"))
}

func TestStreamIsAcceptedWhereAnEventIsDestroyed(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	d.EXPECT().EventCreate().Return(driver.Event(0x200), nil)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	require.Equal(t, Stream, p.Find(uintptr(s)).Kind())
	o, err := p.PutEvent(d, driver.Event(s))
	require.NoError(t, err)
	require.Equal(t, Deferred, o)
	require.Equal(t, 1, p.Stats(Stream, 0).Draining)

	ev, _, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	o, err = p.Put(d, driver.Stream(ev))
	require.Equal(t, Failed, o)
	require.ErrorContains(t, err, "is an event, not a stream")
	require.Equal(t, Live, p.Find(uintptr(ev)).State())
}

func TestFailedCreateLeavesThePoolUsable(t *testing.T) {
	d := newMock(t)
	p := New(Config{Devices: 1})
	gomock.InOrder(
		d.EXPECT().StreamCreate().Return(driver.Stream(0), errBroken),
		d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil),
	)
	_, o, err := p.Get(d, 0)
	require.Equal(t, Failed, o)
	require.ErrorIs(t, err, driver.OutOfMemory)
	require.Equal(t, Stats{}, p.Stats(Stream, 0))
	get(t, p, d, 0, Created)

	_, _, err = p.Get(d, 1)
	require.ErrorIs(t, err, driver.InvalidDevice)
	_, _, err = p.Get(d, -1)
	require.ErrorIs(t, err, driver.InvalidDevice)
}

func TestStreamWhoseQueryFailsIsNotReused(t *testing.T) {
	d := newMock(t)
	p := New(Config{})
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	a := get(t, p, d, 0, Created)
	_, err := p.Put(d, a)
	require.NoError(t, err)
	gomock.InOrder(
		d.EXPECT().StreamIdle(a).Return(true, errors.New("context lost")),
		d.EXPECT().StreamDestroy(a).Return(errors.New("context lost")),
		d.EXPECT().StreamCreate().Return(driver.Stream(0x200), nil),
	)
	require.Equal(t, driver.Stream(0x200), get(t, p, d, 0, Created))
	require.Equal(t, Stats{Created: 2, Destroyed: 1, FailedQueries: 1}, p.Stats(Stream, 0))
	require.Equal(t, Gone, p.Find(uintptr(a)).State())
}

func TestOfAStreamWhoseWorkFailedTheDestructionIsReportedAndNotTheQuery(t *testing.T) {
	failed := &driver.Error{Call: "query", Name: "failed", Code: driver.LaunchFailure}
	failure := &driver.Error{Call: "destroy", Name: "failed", Code: driver.LaunchFailure}
	d := newMock(t)
	gomock.InOrder(
		d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil),
		d.EXPECT().StreamIdle(driver.Stream(0x100)).Return(false, failed),
		d.EXPECT().StreamDestroy(driver.Stream(0x100)).Return(failure),
		d.EXPECT().StreamCreate().Return(driver.Stream(0x140), nil),
	)
	var reported []error
	p := New(Config{Failed: func(err error) { reported = append(reported, err) }})
	s := get(t, p, d, 0, Created)
	_, err := p.Put(d, s)
	require.NoError(t, err)
	require.NotEqual(t, s, get(t, p, d, 0, Created))
	require.Equal(t, []error{failure}, reported)
}
