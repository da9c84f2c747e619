package streampool

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func listed(p *Pool) (handles []uintptr) {
	p.Streams(func(e *Entry) bool {
		handles = append(handles, e.Handle())
		return true
	})
	return handles
}

func TestStreamsAreListedUntilTheyAreGone(t *testing.T) {
	d := new(countingDriver)
	var abandoned []uintptr
	p := New(Config{MaxIdle: 1, MaxDraining: 1, Abandoned: func(e *Entry) { abandoned = append(abandoned, e.Handle()) }})
	queue := p.AddQueue(0, NullStream)
	require.False(t, queue.Pending())
	require.Equal(t, Live, queue.State())
	var s [4]driver.Stream
	for i := range s {
		var err error
		s[i], _, err = p.Get(d, 0)
		require.NoError(t, err)
	}
	e, _, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	require.Equal(t, []uintptr{uintptr(s[3]), uintptr(s[2]), uintptr(s[1]), uintptr(s[0]), 0}, listed(p), "events are not")

	_, err = p.Put(d, s[0]) // draining
	require.NoError(t, err)
	o, err := p.Put(d, s[1]) // one too many: it is gone, and the state of its work is unknown
	require.NoError(t, err)
	require.Equal(t, Destroyed, o)
	require.Equal(t, []uintptr{uintptr(s[1])}, abandoned)
	require.NotContains(t, listed(p), uintptr(s[1]))
	require.Contains(t, listed(p), uintptr(s[0]))

	for _, h := range s[2:] { // synchronized: one is pooled, one is gone with nothing pending
		k := p.Find(uintptr(h))
		k.Synchronized(k.Submissions())
		require.True(t, k.Covers(k.Submissions()))
		_, err = p.Put(d, h)
		require.NoError(t, err)
	}
	require.Len(t, abandoned, 1)
	require.True(t, p.Find(uintptr(s[3])).Lost())
	_, err = p.PutEvent(d, e)
	require.NoError(t, err)
	require.Len(t, listed(p), 3)
}

func TestMoreStreamsThanTheListHasPlacesStandForPendingWork(t *testing.T) {
	d := new(countingDriver)
	p := New(Config{})
	for range rosterSize + 10 {
		_, _, err := p.Get(d, 0)
		require.NoError(t, err)
	}
	require.Len(t, listed(p), rosterSize)
	last := p.roster.at[rosterSize-1].Load()
	require.True(t, last.Pending())
	last.Synchronized(last.Submissions())
	require.True(t, last.Pending(), "the others may have work all the same")
}

func TestWorkThatIsNotCountedIsPendingFromItsFirstSubmissionOn(t *testing.T) {
	q := New(Config{}).AddQueue(-1, ForeignStreams)
	require.False(t, q.Pending())
	q.Submitted()
	for range 3 {
		mark := q.Submissions()
		require.False(t, q.Covers(mark))
		q.Synchronized(mark)
		require.True(t, q.Covers(mark))
		require.True(t, q.Pending(), "at no moment it is not: another thread may look")
	}
}

// Work submitted to a stream is seen by a thread that lists streams while another destroys the stream: either as the
// stream's, or as the work of the queue that stands for destroyed streams.
func TestAStreamThatIsDestroyedWhileItIsListedIsNotMissed(t *testing.T) {
	d := new(countingDriver)
	var queue *Entry
	p := New(Config{MaxDraining: 1, Abandoned: func(*Entry) { queue.Submitted() }})
	queue = p.AddQueue(0, NullStream)
	first, _, err := p.Get(d, 0)
	require.NoError(t, err)
	s, _, err := p.Get(d, 0)
	require.NoError(t, err)
	_, err = p.Put(d, first) // draining: the limit is reached
	require.NoError(t, err)
	seen, destroyed := false, false
	p.Streams(func(e *Entry) bool {
		seen = seen || e.Pending() && (e == queue || e.Handle() == uintptr(s))
		if !destroyed {
			destroyed = true
			o, err := p.Put(d, s)
			require.NoError(t, err)
			require.Equal(t, Destroyed, o)
		}
		return true
	})
	require.True(t, seen)
}

func TestAStreamThatDrainedHasReachedWhatItWasMarkedWith(t *testing.T) {
	d := new(countingDriver)
	p := New(Config{Queries: 8})
	s, _, err := p.Get(d, 0)
	require.NoError(t, err)
	e := p.Find(uintptr(s))
	e.Submitted()
	mark := e.Submissions()
	_, err = p.Put(d, s)
	require.NoError(t, err)
	require.False(t, e.Covers(mark))
	for range 9 { // the third query answers idle
		again, o, err := p.Get(d, 0)
		require.NoError(t, err)
		if o == Drained {
			require.Equal(t, s, again)
			require.True(t, e.Covers(mark))
			require.True(t, e.Pending(), "its new holder may have submitted")
			return
		}
	}
	t.Fatal("it never drained")
}
