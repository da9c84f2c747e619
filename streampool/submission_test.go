package streampool

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestASubmissionIsPendingFromBeforeItsCallOn(t *testing.T) {
	e := New(Config{}).AddQueue(0, NullStream)
	covers := e.Submissions()
	s := e.Begin()
	e.Synchronized(covers)
	require.True(t, e.Pending(), "by a wait from before the call")
	covers = e.Submissions()
	e.Synchronized(covers)
	require.True(t, e.Pending(), "by a wait that began before the driver had the work")
	latest, returned := e.Latest()
	require.False(t, e.Covers(latest))
	require.True(t, e.Covers(returned))
	e.End(s)
	require.True(t, e.Pending())
	require.False(t, e.Covers(latest))
	e.Synchronized(e.Submissions())
	require.True(t, e.Covers(latest))
	require.False(t, e.Pending())
}

// Two threads submit to one stream all the time: some call is always in progress.
func TestWhatHasReturnedIsKnownWhileCallsOverlap(t *testing.T) {
	e := New(Config{}).AddQueue(0, NullStream)
	marks := 0
	last, mark := e.Begin(), uint64(0)
	for range 100 {
		next := e.Begin()
		e.End(last)
		last = next
		if e.Covers(mark) {
			mark, _ = e.Latest()
			marks++
		}
		covers := e.Submissions()
		require.Less(t, covers, number(uint64(last)), "that is under way")
		e.Synchronized(covers)
		require.True(t, e.Pending())
	}
	require.Greater(t, marks, 20)
	e.End(last)
}

func TestNumbersMayOverflow(t *testing.T) {
	e := New(Config{}).AddQueue(0, NullStream)
	e.word.Add(^uint64(5*oneMore) + 1)
	e.synced.Store(e.Submissions())
	var marks []uint64
	for range 10 {
		e.End(e.Begin())
		m, _ := e.Latest()
		marks = append(marks, m)
		require.False(t, e.Covers(m))
	}
	require.Less(t, marks[9], marks[0])
	require.True(t, e.Pending())
	e.Synchronized(marks[7])
	require.True(t, e.Covers(marks[7]))
	require.False(t, e.Covers(marks[8]))
	e.Synchronized(marks[9])
	require.False(t, e.Pending())
	require.Equal(t, Live, e.State())
}

func TestMoreCallsThanCanBeCountedWaitForEachOther(t *testing.T) {
	e := New(Config{}).AddQueue(0, NullStream)
	var under []Submission
	for range callMask {
		under = append(under, e.Begin())
	}
	var one atomic.Uint64
	go func() { one.Store(uint64(e.Begin())) }()
	for range 100 {
		runtime.Gosched()
	}
	require.Zero(t, one.Load())
	e.End(under[0])
	for one.Load() == 0 {
		runtime.Gosched()
	}
	for _, s := range append(under[1:], Submission(one.Load())) {
		require.True(t, e.Pending())
		e.End(s)
	}
	require.Zero(t, e.word.Load()&callsMask)
	require.Equal(t, Live, e.State())
}

func TestNoWaitCoversACallThatIsUnderWay(t *testing.T) {
	const threads, calls = 4, 3000
	e := New(Config{}).AddQueue(0, NullStream)
	var under [threads]atomic.Uint64 // the numbers of calls
	var wg sync.WaitGroup
	var left atomic.Int64
	for i := range threads {
		wg.Add(1)
		left.Add(1)
		go func() {
			defer wg.Done()
			defer left.Add(-1)
			for range calls {
				s := e.Begin()
				under[i].Store(number(uint64(s)))
				runtime.Gosched()
				under[i].Store(0)
				e.End(s)
			}
		}()
	}
	for left.Load() > 0 {
		covers := e.Submissions()
		for i := range under {
			if n := under[i].Load(); n != 0 && n <= covers {
				t.Fatalf("%#x is under way, and a wait that has begun covers %#x", n, covers)
			}
		}
		e.Synchronized(covers)
	}
	wg.Wait()
	e.Synchronized(e.Submissions())
	require.False(t, e.Pending())
}

// The program destroys a stream while a call on it has not returned, after another thread has seen the effect of the
// call.
func TestAStreamIsNotHandedOutBeforeACallOnItHasReturned(t *testing.T) {
	d := new(countingDriver)
	p := New(Config{})
	s, _, err := p.Get(d, 0)
	require.NoError(t, err)
	e := p.Find(uintptr(s))
	e.Synchronized(e.Submissions())
	call := e.Begin()
	o, err := p.Put(d, s)
	require.NoError(t, err)
	require.Equal(t, Deferred, o)
	for range 8 {
		other, o, err := p.Get(d, 0)
		require.NoError(t, err)
		require.Equal(t, Created, o)
		require.NotEqual(t, s, other)
	}
	require.Zero(t, d.asked.Load(), "the driver may not have all of its work yet")
	e.End(call)
	for range 8 { // the third query answers idle
		if again, o, err := p.Get(d, 0); o == Drained {
			require.NoError(t, err)
			require.Equal(t, s, again)
			return
		}
	}
	t.Fatal("it never drained")
}

// submittingDriver answers idle, and lets a thread submit during the query.
type submittingDriver struct {
	countingDriver
	asking func()
}

func (d *submittingDriver) StreamIdle(driver.Stream) (bool, error) { d.asking(); return true, nil }

func TestAStreamIsNotHandedOutIfACallOnItBeginsWhileTheDriverIsAsked(t *testing.T) {
	d := new(submittingDriver)
	p := New(Config{})
	s, _, err := p.Get(d, 0)
	require.NoError(t, err)
	_, err = p.Put(d, s)
	require.NoError(t, err)
	e := p.Find(uintptr(s))
	var call Submission
	d.asking = func() { call = e.Begin() }
	_, o, err := p.Get(d, 0)
	require.NoError(t, err)
	require.Equal(t, Created, o)
	e.End(call)
	d.asking = func() {}
	again, o, err := p.Get(d, 0)
	require.NoError(t, err)
	require.Equal(t, Drained, o)
	require.Equal(t, s, again)
}
