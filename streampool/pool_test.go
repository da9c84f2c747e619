package streampool

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// putSynchronized gives back a stream that is known to be idle.
func putSynchronized(t *testing.T, p *Pool, d Driver, s driver.Stream, want Outcome) {
	t.Helper()
	e := p.Find(uintptr(s))
	e.Synchronized(e.Submissions())
	o, err := p.Put(d, s)
	require.NoError(t, err)
	require.Equal(t, want, o)
}

func get(t *testing.T, p *Pool, d Driver, device int, want Outcome) driver.Stream {
	t.Helper()
	s, o, err := p.Get(d, device)
	require.NoError(t, err)
	require.Equal(t, want, o)
	return s
}

func TestSynchronizedStreamIsReusedWithoutAskingTheDriver(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil).Times(1)
	p := New(Config{Devices: 1})
	for i := range 1000 {
		want := Reused
		if i == 0 {
			want = Created
		}
		s := get(t, p, d, 0, want)
		p.Find(uintptr(s)).Submitted()
		putSynchronized(t, p, d, s, Pooled)
	}
	require.Equal(t, Stats{Created: 1, Reused: 999, Idle: 1}, p.Stats(Stream, 0))
}

func TestLastInIsFirstOutPerDevice(t *testing.T) {
	d := newMock(t)
	p := New(Config{Devices: 2})
	var s [4]driver.Stream
	for i := range s {
		d.EXPECT().StreamCreate().Return(driver.Stream(0x100*(i+1)), nil)
		s[i] = get(t, p, d, i%2, Created)
	}
	for i := range s {
		putSynchronized(t, p, d, s[i], Pooled)
	}
	require.Equal(t, s[3], get(t, p, d, 1, Reused))
	require.Equal(t, s[2], get(t, p, d, 0, Reused))
	require.Equal(t, s[0], get(t, p, d, 0, Reused))
	require.Equal(t, s[1], get(t, p, d, 1, Reused))
}

func TestStreamWithWorkPendingIsHandedOutOnlyOnceIdle(t *testing.T) {
	d := newMock(t)
	p := New(Config{})
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	a := get(t, p, d, 0, Created)
	o, err := p.Put(d, a)
	require.NoError(t, err)
	require.Equal(t, Deferred, o, "a stream that was never synchronized may be in use by another library")
	require.Equal(t, 1, p.Stats(Stream, 0).Draining)

	gomock.InOrder(
		d.EXPECT().StreamIdle(a).Return(false, nil),
		d.EXPECT().StreamCreate().Return(driver.Stream(0x200), nil),
		d.EXPECT().StreamIdle(a).Return(true, nil),
	)
	b := get(t, p, d, 0, Created)
	require.NotEqual(t, a, b)
	require.Equal(t, a, get(t, p, d, 0, Drained))
	require.Zero(t, p.Stats(Stream, 0).Draining)
}

func TestSynchronizeCoversOnlyWhatWasSubmittedBeforeIt(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	e := p.Find(uintptr(s))
	e.Submitted()
	n := e.Submissions()
	e.Submitted() // by another thread, while this one synchronizes
	e.Synchronized(n)
	require.True(t, e.Pending())
	o, err := p.Put(d, s)
	require.NoError(t, err)
	require.Equal(t, Deferred, o)
}

func TestQueriesPerGetAreBoundedAndGoAround(t *testing.T) {
	d := newMock(t)
	p := New(Config{Queries: 2})
	var s []driver.Stream
	for i := range 5 {
		d.EXPECT().StreamCreate().Return(driver.Stream(0x100*(i+1)), nil)
		s = append(s, get(t, p, d, 0, Created))
	}
	for _, s := range s {
		_, err := p.Put(d, s)
		require.NoError(t, err)
	}
	gomock.InOrder(
		d.EXPECT().StreamIdle(s[0]).Return(false, nil),
		d.EXPECT().StreamIdle(s[1]).Return(false, nil),
		d.EXPECT().StreamCreate().Return(driver.Stream(0x900), nil),
		d.EXPECT().StreamIdle(s[2]).Return(false, nil),
		d.EXPECT().StreamIdle(s[3]).Return(true, nil),
	)
	get(t, p, d, 0, Created)
	require.Equal(t, s[3], get(t, p, d, 0, Drained))
}

func TestMoreThanEnoughIdleStreamsAreDestroyed(t *testing.T) {
	d := newMock(t)
	p := New(Config{})
	var s []driver.Stream
	for i := range 34 {
		d.EXPECT().StreamCreate().Return(driver.Stream(0x100*(i+1)), nil)
		s = append(s, get(t, p, d, 0, Created))
	}
	for _, s := range s[:32] {
		putSynchronized(t, p, d, s, Pooled)
	}
	d.EXPECT().StreamDestroy(s[32]).Return(nil)
	putSynchronized(t, p, d, s[32], Destroyed)
	d.EXPECT().StreamDestroy(s[33]).Return(errBroken)
	e := p.Find(uintptr(s[33]))
	e.Synchronized(e.Submissions())
	_, err := p.Put(d, s[33])
	require.ErrorIs(t, err, driver.OutOfMemory)
	require.Equal(t, Gone, e.State())
	require.Equal(t, Stats{Created: 34, Idle: 32, Destroyed: 2}, p.Stats(Stream, 0))
}

// A driver call in progress counts for a stream that the program destroys meanwhile. The program may do that if the
// call did not name the stream.
func TestAStreamThatADriverCallIsUnderWayOnIsNotDestroyed(t *testing.T) {
	for name, begin := range map[string]func(*Entry) (end func()){
		"pinned": func(e *Entry) func() { require.True(t, e.Pin()); return e.Unpin },
		"submitting": func(e *Entry) func() {
			s := e.Begin()
			return func() { e.End(s) }
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newMock(t)
			p := New(Config{MaxIdle: 1, MaxDraining: 1})
			var s [3]driver.Stream
			for i := range s {
				d.EXPECT().StreamCreate().Return(driver.Stream(0x100*(i+1)), nil)
				s[i] = get(t, p, d, 0, Created)
			}
			putSynchronized(t, p, d, s[0], Pooled)
			o, err := p.Put(d, s[1])
			require.NoError(t, err)
			require.Equal(t, Deferred, o, "and now neither kind has room")

			e := p.Find(uintptr(s[2]))
			end := begin(e)
			putSynchronized(t, p, d, s[2], Deferred)
			require.Equal(t, Draining, e.State())
			get(t, p, d, 0, Reused)
			d.EXPECT().StreamIdle(s[1]).Return(true, nil)
			require.Equal(t, s[1], get(t, p, d, 0, Drained))
			end()
			d.EXPECT().StreamIdle(s[2]).Return(true, nil)
			require.Equal(t, s[2], get(t, p, d, 0, Drained))

			putSynchronized(t, p, d, s[0], Pooled)
			d.EXPECT().StreamDestroy(s[2]).Return(nil)
			putSynchronized(t, p, d, s[2], Destroyed)
			require.False(t, e.Pin())
		})
	}
}

func TestDrainingStreamsAreBounded(t *testing.T) {
	d := newMock(t)
	p := New(Config{MaxDraining: 3, Queries: 1})
	d.EXPECT().StreamIdle(gomock.Any()).Return(false, nil).AnyTimes()
	for i := range 10 {
		s := driver.Stream(0x100 * (i + 1))
		d.EXPECT().StreamCreate().Return(s, nil)
		if i >= 3 {
			d.EXPECT().StreamDestroy(s)
		}
		get(t, p, d, 0, Created)
		_, err := p.Put(d, s)
		require.NoError(t, err)
	}
	require.Equal(t, 3, p.Stats(Stream, 0).Draining)
}

func TestEventIsReusedOnlyWhenWhatItRecordedIsDone(t *testing.T) {
	d := newMock(t)
	p := New(Config{})
	d.EXPECT().EventCreate().Return(driver.Event(0x100), nil)
	ev, o, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	require.Equal(t, Created, o)
	p.Find(uintptr(ev)).Submitted() // recorded
	p.Find(uintptr(ev)).Submitted() // waited for by a stream
	o, err = p.PutEvent(d, ev)
	require.NoError(t, err)
	require.Equal(t, Deferred, o)

	gomock.InOrder(
		d.EXPECT().EventDone(ev).Return(false, nil),
		d.EXPECT().EventCreate().Return(driver.Event(0x200), nil),
		d.EXPECT().EventDone(ev).Return(true, nil),
	)
	other, _, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	require.Equal(t, driver.Event(0x200), other)
	again, o, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	require.Equal(t, ev, again)
	require.Equal(t, Drained, o)
}

func TestHandleThatTheDriverGivesAgainIsANewStream(t *testing.T) {
	for name, give := range map[string]func(p *Pool, d Driver, s driver.Stream){
		"live":     func(*Pool, Driver, driver.Stream) {},
		"idle":     func(p *Pool, d Driver, s driver.Stream) { putSynchronized(t, p, d, s, Pooled) },
		"draining": func(p *Pool, d Driver, s driver.Stream) { _, _ = p.Put(d, s) },
	} {
		t.Run(name, func(t *testing.T) {
			d := newMock(t)
			p := New(Config{})
			d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil).Times(2)
			d.EXPECT().EventCreate().Return(driver.Event(0x100), nil)
			s := get(t, p, d, 0, Created)
			give(p, d, s)
			// The program destroyed 0x100 through the driver's own library; now 0x100 is an event.
			ev, _, err := p.GetEvent(d, 0)
			require.NoError(t, err)
			require.Equal(t, Event, p.Find(uintptr(ev)).Kind())
			// The old stream must not come out of the pool.
			require.Equal(t, driver.Stream(0x100), get(t, p, d, 0, Created))
			require.Zero(t, p.Stats(Stream, 0).Idle+p.Stats(Stream, 0).Draining)
		})
	}
}

func TestSideTableForgetsTheLongDead(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamDestroy(gomock.Any()).AnyTimes()
	n := 0
	d.EXPECT().StreamCreate().DoAndReturn(func() (driver.Stream, error) { n++; return driver.Stream(n * 64), nil }).AnyTimes()
	p := New(Config{MaxIdle: 1, MaxDraining: 1})
	p.freeLists[Stream][0].draining.limit = 0
	for range 5000 {
		s := get(t, p, d, 0, Created)
		_, err := p.Put(d, s)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, p.table.Len(), 1025)
	require.Equal(t, Gone, p.Find(5000*64).State())
	require.Nil(t, p.Find(64))
	require.LessOrEqual(t, int(p.directory.next), 2, "ids are used again")
}

func TestReuseIsCountedAcrossTheTagsWrap(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x140), nil)
	p := New(Config{})
	// Of the two that are given back, one is in the slot and one on the stack.
	a, b := get(t, p, d, 0, Created), get(t, p, d, 0, Created)
	putSynchronized(t, p, d, a, Pooled)
	putSynchronized(t, p, d, b, Pooled)
	idle := &p.freeLists[Stream][0].idle
	idle.head.Or(^uint64(tagOne - 1))
	before := p.Stats(Stream, 0).Reused
	for range 3 {
		a, b := get(t, p, d, 0, Reused), get(t, p, d, 0, Reused)
		putSynchronized(t, p, d, a, Pooled)
		putSynchronized(t, p, d, b, Pooled)
	}
	require.EqualValues(t, 1, idle.wraps.Load())
	require.Equal(t, before+6, p.Stats(Stream, 0).Reused)
}

func TestAnIdleStreamInAnotherThreadsHandIsFound(t *testing.T) {
	d := newMock(t)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	putSynchronized(t, p, d, s, Pooled)
	for i := range p.freeLists[Stream][0].slots {
		e := p.Find(uintptr(s))
		for j := range p.freeLists[Stream][0].slots {
			p.freeLists[Stream][0].slots[j].Store(nil)
		}
		p.freeLists[Stream][0].slots[i].Store(e)
		require.Equal(t, s, get(t, p, d, 0, Reused))
		putSynchronized(t, p, d, s, Pooled)
	}
}
