package alloccache

import (
	"errors"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// stream is a queue whose progress the test controls.
type stream struct{ submitted, synced uint64 }

func (s *stream) Covers(count uint64) bool { return s.synced >= count }

// rig is a cache over a mocked driver, with two streams.
type rig struct {
	*Cache
	d       *MockDriver
	streams [2]stream
	now     int64
	failed  []error
}

func newRig(t *testing.T, c Config) *rig {
	r := &rig{d: NewMockDriver(gomock.NewController(t))}
	c.Pending = func(m []Mark) []Mark {
		for i := range r.streams {
			if s := &r.streams[i]; s.submitted != s.synced {
				m = append(m, Mark{Of: s, Count: s.submitted})
			}
		}
		return m
	}
	c.Now = func() int64 { return r.now }
	c.Failed = func(err error) { r.failed = append(r.failed, err) }
	r.Cache = New(c)
	return r
}

var outOfMemory = &driver.Error{Call: "hipMalloc", Name: "hipErrorOutOfMemory", Code: driver.OutOfMemory}

// next lets the driver allocate once.
func (r *rig) next(bytes uint64, p driver.Ptr) *gomock.Call {
	return r.d.EXPECT().Allocate(Device, bytes).Return(p, nil)
}

func (r *rig) alloc(t *testing.T, bytes uint64) uintptr {
	t.Helper()
	b, _, err := r.Alloc(r.d, Request{Bytes: bytes})
	require.NoError(t, err)
	return b.Ptr()
}

func (r *rig) free(t *testing.T, p uintptr) Outcome {
	t.Helper()
	_, o, err := r.Free(r.d, p)
	require.NoError(t, err)
	return o
}

func TestClassesWasteAnEighthAtMost(t *testing.T) {
	check := func(bytes uint64) {
		class := sizeClass(bytes)
		size := classSize(class)
		require.GreaterOrEqual(t, size, bytes)
		require.Less(t, class, uint32(classes))
		if bytes > smallest {
			require.LessOrEqual(t, (size-bytes)*8, bytes, "%d bytes get %d", bytes, size)
		}
		require.Equal(t, class, sizeClass(size), "a block's own size is of its class")
		if class > 0 {
			require.LessOrEqual(t, sizeClass(bytes-1), class)
		}
	}
	for bytes := uint64(1); bytes < 1<<14; bytes++ {
		check(bytes)
	}
	for range 20000 {
		check(1 + rand.Uint64()>>(2+rand.UintN(60))%largest)
	}
	for n := range 62 {
		check(1 << n)
		check(1<<n + 1)
		check(max(1, uint64(1)<<n-1))
	}
	check(largest)
	require.Zero(t, bits.OnesCount64(largest)-1)
}

func TestABlockServesAgainWhenNothingIsPending(t *testing.T) {
	r := newRig(t, Config{})
	r.next(1<<20, 0x1000)
	p := r.alloc(t, 1<<20)
	for range 10 {
		require.Equal(t, Cached, r.free(t, p))
		require.Equal(t, p, r.alloc(t, 1<<20-5))
	}
	u := r.Usage(Device, 0)
	assert.Equal(t, []uint64{1 << 20, 1 << 20, 0, 10, 1}, []uint64{u.Reserved, u.Live, u.Cached, u.Reused, u.Allocated})
}

func TestABlockWaitsForWhatWasSubmittedBeforeItsFree(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	r.next(512, 0x1000)
	p := r.alloc(t, 8)
	r.streams[0].submitted, r.streams[1].submitted = 3, 7
	require.Equal(t, Deferred, r.free(t, p))

	// The driver is queried about the unknown mark, and another block is allocated.
	r.d.EXPECT().Reached(Mark{Of: &r.streams[0], Count: 3}).Return(false, nil)
	r.d.EXPECT().Reached(Mark{Of: &r.streams[1], Count: 7}).Return(false, nil)
	r.next(512, 0x2000)
	q := r.alloc(t, 8)
	require.NotEqual(t, p, q)

	// Later submissions don't matter, and one covered stream is not enough.
	r.streams[0] = stream{submitted: 9, synced: 3}
	r.d.EXPECT().Reached(Mark{Of: &r.streams[1], Count: 7}).Return(false, nil)
	r.next(512, 0x3000)
	require.Equal(t, uintptr(0x3000), r.alloc(t, 8))

	r.streams[1].synced = 7
	require.Equal(t, p, r.alloc(t, 8))
	require.EqualValues(t, 1, r.Usage(Device, 0).Covered)
}

// listed is a thread's free list, as C has it.
type listed struct {
	noFreeLists
	blocks []*Block
}

func (l *listed) Take(class uint32) uintptr {
	for i, b := range l.blocks {
		if class == Any || b.class == class {
			l.blocks = slices.Delete(l.blocks, i, i+1)
			return b.ptr
		}
	}
	return 0
}

// list frees a block as C does.
func (l *listed) list(b *Block, waitsFor uintptr) {
	b.word.Store(b.word.Load()&^stateMask + oneMore | uint64(Listed))
	b.waitsFor.Store(waitsFor)
	l.blocks = append(l.blocks, b)
}

func TestABlockOfAFreeListThatWaitsGetsMarksWhenItIsTaken(t *testing.T) {
	l := &listed{}
	r := newRig(t, Config{Quick: true, FreeLists: l})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	r.next(512, 0x1000)
	p := r.Find(r.alloc(t, 8))
	r.streams[0].submitted = 3
	l.list(p, 1)
	r.streams[0].submitted = 5 // not the submission that the block waits for, but the one it is marked with
	r.d.EXPECT().Reached(Mark{Of: &r.streams[0], Count: 5}).Return(false, nil)
	r.next(512, 0x2000)
	q := r.Find(r.alloc(t, 8))
	require.NotSame(t, p, q)
	require.Equal(t, Waiting, p.State())
	r.streams[0].synced = 5
	require.Equal(t, p.ptr, r.alloc(t, 8), "no question")

	r.streams[0].submitted = 6
	l.list(p, 1)
	r.streams[0].synced = 6
	require.Equal(t, p.ptr, r.alloc(t, 8), "its stream was waited for")

	r.streams[0].submitted = 7
	l.list(p, 1)
	l.list(q, 0)
	r.collectListed()
	require.Equal(t, []State{Waiting, Free}, []State{p.State(), q.State()})
	require.Zero(t, p.waitsFor.Load())
}

// walked calls a function for each listed block, as Usage reads the lists.
type walked struct {
	listed
	each func()
}

func (w *walked) Each(f func(ptr uintptr)) {
	for _, b := range w.blocks {
		w.each()
		f(b.ptr)
	}
}

func TestNoBlockIsMadeWhileUsageReadsTheFreeLists(t *testing.T) {
	w := &walked{}
	r := newRig(t, Config{Quick: true, FreeLists: w})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	calls := 0
	w.each = func() {
		calls++
		require.False(t, r.mu.TryLock(), "the lock of addBlock")
	}
	r.next(512, 0x1000)
	w.list(r.Find(r.alloc(t, 8)), 0)
	require.EqualValues(t, 512, r.Usage(Device, 0).Cached)
	require.Equal(t, 1, calls)
}

// A block waits on its thread's free list until the next allocation moves it to the cache's lists.
func TestTheLimitHoldsWhereCFreesWithWorkPending(t *testing.T) {
	const most = 4096
	l := &listed{}
	r := newRig(t, Config{Quick: true, FreeLists: l, Policy: Policy{Limit: func(int) uint64 { return most }}})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	r.d.EXPECT().Reached(gomock.Any()).Return(false, nil).AnyTimes()
	at := driver.Ptr(0x1000)
	r.d.EXPECT().Allocate(Device, gomock.Any()).DoAndReturn(func(Kind, uint64) (driver.Ptr, error) {
		at += 0x1000
		return at, nil
	}).AnyTimes()
	r.d.EXPECT().Release(Device, 0, gomock.Any()).Return(nil).AnyTimes()
	for range 100 {
		r.now++
		b := r.Find(r.alloc(t, 1024))
		r.streams[0].submitted++
		l.list(b, 1)
		require.LessOrEqual(t, r.Usage(Device, 0).Cached, uint64(most+1024), "and the listed one")
	}
	l.list(r.Find(r.alloc(t, 1024)), 1)
	r.TrimIdle(r.d, 0, 1)
	require.EqualValues(t, most, r.Usage(Device, 0).Cached)
}

func TestABlockThatIsSmallerThanItsClassIsNotGivenOutAgain(t *testing.T) {
	r := newRig(t, Config{})
	quiet := false
	r.d.EXPECT().Quiet().DoAndReturn(func() bool { return quiet }).AnyTimes()
	r.d.EXPECT().Allocate(Device, classSize(sizeClass(1030))).Return(driver.Ptr(0), outOfMemory)
	r.next(1030, 0x1000)
	small := r.alloc(t, 1030)
	quiet = true // the program captures a stream: nothing is released
	require.Equal(t, Cached, r.free(t, small))
	quiet = false
	r.next(1152, 0x2000)
	require.Equal(t, uintptr(0x2000), r.alloc(t, 1152))
}

// A limit is a share of the device's free memory, which can be queried only while the device is current.
func TestLimitsOfDevicesThatAreNotUsedAreNotAsked(t *testing.T) {
	asked := map[int]bool{}
	r := newRig(t, Config{Devices: 2, Policy: Policy{Limit: func(device int) uint64 { asked[device] = true; return 1 << 20 }}})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	r.next(512, 0x1000)
	r.free(t, r.alloc(t, 512))
	r.now = 2 * trimInterval
	r.alloc(t, 512)
	require.Equal(t, map[int]bool{0: true}, asked)
}

func TestWhileTheProgramCapturesNothingIsAskedAndNothingReleased(t *testing.T) {
	r := newRig(t, Config{Policy: Policy{Limit: func(int) uint64 { return 600 }}})
	r.d.EXPECT().Quiet().Return(true).AnyTimes() // Reached and Release must not be called
	r.next(512, 0x1000)
	r.next(512, 0x2000)
	p := r.alloc(t, 8)
	r.streams[0].submitted = 1
	require.Equal(t, Deferred, r.free(t, p))
	q := r.alloc(t, 8)
	require.Equal(t, Deferred, r.free(t, q), "kept, although it is more than the limit")
	require.Zero(t, r.Flush(r.d, 0))
	n, err := r.TrimScope(r.d, r.CreateScope())
	require.NoError(t, err)
	require.Zero(t, n)
	require.EqualValues(t, 1024, r.Usage(Device, 0).Cached)
}

func TestADoubleFreeIsToldBehindAFreeInsideTheBlock(t *testing.T) {
	r := newRig(t, Config{})
	r.next(4096, 0x10000)
	p := r.alloc(t, 4000)
	_, _, err := r.Free(r.d, p+8)
	require.ErrorContains(t, err, "lies inside the block")
	require.Equal(t, Cached, r.free(t, p))
	_, o, err := r.Free(r.d, p)
	require.Equal(t, Stale, o)
	require.EqualError(t, err, "'mgpuMemFree(0x10000)' failed with 'invalid value': the block at 0x10000 was freed before")
	_, _, err = r.Free(r.d, p)
	require.NoError(t, err, "once")
	_, _, err = r.Free(r.d, p+8)
	require.NoError(t, err, "once")
	require.Equal(t, p, r.alloc(t, 4096))
	_, _, err = r.Free(r.d, p+8)
	require.ErrorContains(t, err, "lies inside the block", "of its next use")
}

func TestMisuseIsToldOnceAndHarmless(t *testing.T) {
	r := newRig(t, Config{})
	r.next(4096, 0x10000)
	p := r.alloc(t, 4000)
	_, o, err := r.Free(r.d, p+8)
	require.Equal(t, Stale, o)
	require.EqualError(t, err, "'mgpuMemFree(0x10008)' failed with 'invalid value': 0x10008 lies inside the block of 4000 bytes at 0x10000")
	_, o, err = r.Free(r.d, p+16)
	require.Equal(t, Stale, o)
	require.NoError(t, err, "once")
	require.Equal(t, Cached, r.free(t, p))
	require.Equal(t, p, r.alloc(t, 4096))
	require.Equal(t, Cached, r.free(t, p))
	_, o, err = r.Free(r.d, p)
	require.Equal(t, Stale, o)
	require.EqualError(t, err, "'mgpuMemFree(0x10000)' failed with 'invalid value': the block at 0x10000 was freed before")
	for range 3 {
		require.Equal(t, Stale, r.free(t, p))
	}
	for _, foreign := range []uintptr{1, 0x9000, 0x11000, ^uintptr(0)} {
		m, o, err := r.Free(r.d, foreign)
		require.NoError(t, err)
		require.Equal(t, Passed, o)
		require.Equal(t, driver.Ptr(foreign), m.Ptr)
	}
	require.Equal(t, p, r.alloc(t, 4096))
	require.NotEqual(t, Live, r.Find(0x9000).State())
}

func TestWithoutMemoryLeftAllThatIsFreeGoesAndTheDriverIsAskedOnceMore(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	r.next(512, 0x1000)
	r.next(1024, 0x2000)
	a, b := r.alloc(t, 8), r.alloc(t, 1024)
	r.free(t, a)
	r.streams[0].submitted = 1
	r.free(t, b)
	gomock.InOrder(
		r.d.EXPECT().Allocate(Device, uint64(1<<20+1<<17)).Return(driver.Ptr(0), outOfMemory),
		r.d.EXPECT().Release(Device, 0, driver.Ptr(0x1000)).Return(nil),
		r.d.EXPECT().Release(Device, 0, driver.Ptr(0x2000)).Return(nil),
		r.d.EXPECT().Allocate(Device, uint64(1<<20+1)).Return(driver.Ptr(0x3000), nil),
	)
	p := r.alloc(t, 1<<20+1)
	r.d.EXPECT().Allocate(Device, uint64(1<<20)).Return(driver.Ptr(0), outOfMemory).Times(2)
	_, _, err := r.Alloc(r.d, Request{Bytes: 1 << 20})
	require.EqualError(t, err, "'hipMalloc' failed with 'hipErrorOutOfMemory': 1048576 bytes wanted, 1048577 in use, 0 cached, 1048577 at most so far")
	require.ErrorIs(t, err, driver.OutOfMemory)
	m, o, err := r.Free(r.d, p)
	require.NoError(t, err)
	require.Equal(t, Given, o, "a block that is smaller than its class never serves again")
	require.Equal(t, driver.Ptr(p), m.Ptr)
	require.Zero(t, r.Usage(Device, 0).Reserved)
	require.EqualValues(t, 2, r.Usage(Device, 0).Flushes)
}

func TestOtherErrorsOfTheDriverAreNotTriedAgain(t *testing.T) {
	r := newRig(t, Config{})
	lost := errors.New("lost")
	r.d.EXPECT().Allocate(Device, uint64(512)).Return(driver.Ptr(0), lost)
	_, o, err := r.Alloc(r.d, Request{Bytes: 1})
	require.Equal(t, Failed, o)
	require.ErrorIs(t, err, lost)
	for _, bytes := range []uint64{largest + 1, 1 << 63, math.MaxUint64} {
		r.d.EXPECT().Allocate(Device, bytes).Return(driver.Ptr(0), outOfMemory)
		_, _, err := r.Alloc(r.d, Request{Bytes: bytes})
		require.ErrorIs(t, err, driver.OutOfMemory)
	}
	_, _, err = r.Alloc(r.d, Request{Bytes: 1, Device: 1})
	require.ErrorIs(t, err, driver.InvalidDevice)
	_, _, err = r.Alloc(r.d, Request{Bytes: 1, Device: -1})
	require.ErrorIs(t, err, driver.InvalidDevice)
}

func TestTheLimitIsOfWhatIsFreeAndTheOldestGoesFirst(t *testing.T) {
	r := newRig(t, Config{Policy: Policy{Limit: func(int) uint64 { return 1024 }}})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	var p [4]uintptr
	for i := range p {
		r.next(512, driver.Ptr(0x1000*(i+1)))
		p[i] = r.alloc(t, 512)
	}
	for i := range 2 {
		r.now++
		require.Equal(t, Cached, r.free(t, p[i]))
	}
	r.now++
	r.d.EXPECT().Release(Device, 0, driver.Ptr(p[0])).Return(nil)
	require.Equal(t, Cached, r.free(t, p[2]))
	require.EqualValues(t, 1024, r.Usage(Device, 0).Cached)
	r.next(2048, 0x8000)
	large := r.alloc(t, 2048)
	_, o, _ := r.Free(r.d, large)
	require.Equal(t, Given, o, "what is larger than the limit is the driver's")
	require.EqualValues(t, 1024+512, r.Usage(Device, 0).Reserved)
}

func TestWhatNobodyUsesForLongIsGivenBack(t *testing.T) {
	r := newRig(t, Config{})
	r.d.EXPECT().Quiet().Return(false).AnyTimes()
	r.next(512, 0x1000)
	r.next(1024, 0x2000)
	a, b := r.alloc(t, 512), r.alloc(t, 1024)
	r.now = 20e9
	r.free(t, a)
	r.now = 200e9
	r.free(t, b)
	r.now = 20e9 + Lifetime + 1
	r.d.EXPECT().Release(Device, 0, driver.Ptr(0x1000)).Return(outOfMemory)
	require.Equal(t, b, r.alloc(t, 1024), "an allocation looks for old blocks")
	require.Equal(t, []error{outOfMemory}, r.failed)
	require.EqualValues(t, 1024, r.Usage(Device, 0).Reserved)
}

func TestMemoryFreedBehindTheCachesBackComesAgain(t *testing.T) {
	r := newRig(t, Config{})
	r.next(512, 0x1000)
	r.next(1024, 0x1000)
	r.alloc(t, 512)
	p := r.alloc(t, 1000)
	require.EqualValues(t, 1024, r.Usage(Device, 0).Reserved)
	require.Equal(t, Cached, r.free(t, p))
	require.Equal(t, p, r.alloc(t, 1024))
}

func TestKindsAndDevicesNeverMix(t *testing.T) {
	r := newRig(t, Config{Devices: 2})
	seen := map[uintptr]bool{}
	at := driver.Ptr(0x1000)
	for _, k := range []Kind{Device, Managed} {
		for dev := range 2 {
			r.d.EXPECT().Allocate(k, uint64(512)).Return(at, nil)
			at += 0x1000
			b, _, err := r.Alloc(r.d, Request{Kind: k, Device: dev, Bytes: 512})
			require.NoError(t, err)
			require.False(t, seen[b.Ptr()])
			seen[b.Ptr()] = true
			require.Equal(t, Cached, r.free(t, b.Ptr()))
		}
	}
	for _, k := range []Kind{Device, Managed} {
		for dev := range 2 {
			b, o, err := r.Alloc(r.d, Request{Kind: k, Device: dev, Bytes: 512})
			require.NoError(t, err)
			require.Equal(t, Reused, o)
			require.Equal(t, []any{k, dev}, []any{b.Kind(), b.Device()})
		}
	}
}

func TestExactSizesStandInForNoOthers(t *testing.T) {
	r := newRig(t, Config{Exact: true})
	r.next(100, 0x1000)
	r.next(101, 0x2000)
	a := r.alloc(t, 100)
	r.free(t, a)
	b := r.alloc(t, 101)
	r.free(t, b)
	require.Equal(t, a, r.alloc(t, 100))
	require.Equal(t, b, r.alloc(t, 101))
}
