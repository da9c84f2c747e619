package alloccache

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func (r *rig) begin(t *testing.T, scope uintptr) (uintptr, *Session) {
	t.Helper()
	handle, err := r.Begin(scope)
	require.NoError(t, err)
	return handle, r.SessionOf(handle)
}

func TestAScopeNeedsNoMoreThanItsFirstSession(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	waits := 0
	r.d.EXPECT().Await(gomock.Any()).AnyTimes().DoAndReturn(func(m Mark) error {
		waits++
		m.Of.(*stream).synced = m.Count
		return nil
	})
	scope := r.CreateScope()
	r.next(8<<20, 0x100000)
	for i := range 1000 {
		handle, s := r.begin(t, scope)
		b, _, err := r.Alloc(r.d, Request{Bytes: 8 << 20, Session: s})
		require.NoError(t, err)
		r.streams[0].submitted++
		if i%2 == 0 {
			r.streams[0].synced = r.streams[0].submitted
		}
		if i%3 == 0 { // the program frees some
			r.free(t, b.Ptr())
		}
		require.NoError(t, r.End(r.d, scope, handle))
		info, err := r.ScopeInfo(scope)
		require.NoError(t, err)
		require.Equal(t, ScopeInfo{Free: 1, Busy: 0, Bytes: 8 << 20}, info)
	}
	require.Equal(t, 499, waits, "for each session that ended with work pending, but the last")
	u := r.Usage(Device, 0)
	require.Equal(t, []uint64{8 << 20, 8 << 20, 1, 499}, []uint64{u.Peak, u.Reserved, u.Allocated, u.Waited})
}

func TestAScopeInUseIsNotDestroyed(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	scope := r.CreateScope()
	handle, s := r.begin(t, scope)
	r.next(512, 0x1000)
	b, _, err := r.Alloc(r.d, Request{Bytes: 1, Session: s})
	require.NoError(t, err)
	require.ErrorContains(t, r.DestroyScope(r.d, scope), "it is in use: begun 1 time more than ended, 1 block allocated")
	require.NoError(t, r.End(r.d, scope, handle))
	require.NoError(t, r.DestroyScope(r.d, scope))
	require.Error(t, r.DestroyScope(r.d, scope))
	require.Equal(t, b.Ptr(), r.alloc(t, 1), "its blocks serve everybody then")
	require.Equal(t, Cached, r.free(t, b.Ptr()))
}

func TestScopesThatAreEndedTwiceOrWrongly(t *testing.T) {
	r := newRig(t, Config{})
	a, b := r.CreateScope(), r.CreateScope()
	_, err := r.Begin(77)
	require.ErrorContains(t, err, "there is no such cache")
	require.ErrorContains(t, r.End(r.d, a, 0), "not the one that the thread began last")
	first, _ := r.begin(t, a)
	require.Error(t, r.End(r.d, b, first))
	require.Error(t, r.End(r.d, 77, first))
	require.NoError(t, r.End(r.d, a, first))
	require.Error(t, r.End(r.d, a, first))
	require.Nil(t, r.SessionOf(first))
	_, err = r.ScopeInfo(77)
	require.Error(t, err)
	_, err = r.TrimScope(r.d, 77)
	require.Error(t, err)
}

func TestWhatAScopeFreesServesInTheScope(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	scope := r.CreateScope()
	handle, s := r.begin(t, scope)
	r.next(512, 0x1000)
	b, _, err := r.Alloc(r.d, Request{Bytes: 8, Session: s})
	require.NoError(t, err)
	require.Equal(t, Cached, r.free(t, b.Ptr()))
	again, o, err := r.Alloc(r.d, Request{Bytes: 8, Session: s})
	require.NoError(t, err)
	require.Same(t, b, again)
	require.Equal(t, Reused, o)
	r.next(512, 0x2000)
	outside := r.alloc(t, 8)
	require.NotEqual(t, b.Ptr(), outside, "and nowhere else")
	require.NoError(t, r.End(r.d, scope, handle))
	_, o, err = r.Free(r.d, b.Ptr())
	require.Equal(t, Stale, o, "what the scope took back is not the program's")
	require.Error(t, err)
	r.d.EXPECT().Release(Device, 0, driver.Ptr(0x1000)).Return(nil)
	n, err := r.TrimScope(r.d, scope)
	require.NoError(t, err)
	require.EqualValues(t, 512, n)
	i, _ := r.ScopeInfo(scope)
	require.Zero(t, i)
}

func TestAScopeWhoseBlockCantBeWaitedForFails(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	scope := r.CreateScope()
	_, s := r.begin(t, scope)
	r.next(512, 0x1000)
	b, _, err := r.Alloc(r.d, Request{Bytes: 8, Session: s})
	require.NoError(t, err)
	r.streams[0].submitted = 1
	require.Equal(t, Deferred, r.free(t, b.Ptr()))
	lost := errors.New("lost")
	r.d.EXPECT().Await(gomock.Any()).Return(lost)
	_, _, err = r.Alloc(r.d, Request{Bytes: 8, Session: s})
	require.ErrorIs(t, err, lost)
	r.streams[0].synced = 1
	again, _, err := r.Alloc(r.d, Request{Bytes: 8, Session: s})
	require.NoError(t, err)
	require.Same(t, b, again)
}

func TestScratchGrowsAndKeepsTheOldBufferWhenItCant(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	s := r.NewScratch()
	get := func(key, bytes, stream uint64) (uintptr, error) {
		p, _, err := s.Get(r.d, uintptr(key), uintptr(stream), Request{Bytes: bytes})
		return p, err
	}
	p, err := get(1, 0, 1)
	require.NoError(t, err)
	require.Zero(t, p, "there is none yet")
	r.next(1024, 0x1000)
	p, err = get(1, 1000, 1)
	require.NoError(t, err)
	for _, bytes := range []uint64{0, 1, 500, 1024} {
		again, err := get(1, bytes, 1)
		require.NoError(t, err)
		require.Equal(t, p, again)
	}
	r.next(1024, 0x2000)
	other, _ := get(1, 1000, 2)
	require.NotEqual(t, p, other, "another stream's is another")
	r.next(1024, 0x3000)
	other, _ = get(2, 1000, 1)
	require.NotEqual(t, p, other, "another key's too")

	r.d.EXPECT().Allocate(Device, gomock.Any()).Return(driver.Ptr(0), outOfMemory).Times(4)
	_, err = get(1, 1025, 1)
	require.ErrorIs(t, err, driver.OutOfMemory)
	again, err := get(1, 1024, 1)
	require.NoError(t, err)
	require.Equal(t, p, again)

	r.streams[0].submitted = 1
	r.next(2048, 0x4000)
	grown, err := get(1, 1025, 1)
	require.NoError(t, err)
	require.Equal(t, uintptr(0x4000), grown, "twice as large")
	require.Equal(t, Waiting, r.Find(p).State(), "the old one is still in use")
}

func TestOneScratchBufferIsLeftOfThreadsThatGrowItAtOnce(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	var next atomic.Uintptr
	r.d.EXPECT().Allocate(Device, gomock.Any()).AnyTimes().DoAndReturn(func(Kind, uint64) (driver.Ptr, error) {
		return driver.Ptr(next.Add(1 << 20)), nil
	})
	s := r.NewScratch()
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for bytes := uint64(512); bytes < 1<<18; bytes += 512 {
				p, _, err := s.Get(r.d, 1, 0, Request{Bytes: bytes})
				assert.NoError(t, err)
				assert.NotZero(t, p)
			}
		}()
	}
	wg.Wait()
	p, _, err := s.Get(r.d, 1, 0, Request{})
	require.NoError(t, err)
	require.Equal(t, r.Find(p).Bytes(), r.Usage(Device, 0).Live)
}
