package softgpu

import (
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// gate is a kernel that runs until the test opens it.
type gate struct{ here, opened []uint32 }

// hold starts a gate on s.
func hold(t *testing.T, d *Driver, s driver.Stream) gate {
	t.Helper()
	here, hv := host(t, 1)
	opened, ov := host(t, 1)
	f := kernel(t, d, image(t), "meet")
	require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1), Stream: s, Params: arguments(t, here, opened)}))
	g := gate{hv, ov}
	t.Cleanup(func() {
		g.open()
		_ = d.StreamSynchronize(s)
	})
	return g
}

func TestKernelsInTwoStreamsMayWaitForEachOther(t *testing.T) {
	for _, name := range []string{"meet", "meet_busily"} {
		t.Run(name, func(t *testing.T) {
			d := open(t, Options{})
			a, av := buffer[uint32](t, d, 64)
			b, bv := buffer[uint32](t, d, 64)
			f := kernel(t, d, image(t), name)
			s1, s2 := newTestStream(t, d), newTestStream(t, d)
			require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1), Stream: s1, Params: arguments(t, a, b)}))
			require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1), Stream: s2, Params: arguments(t, b, a)}))
			require.NoError(t, d.StreamSynchronize(s1))
			require.NoError(t, d.StreamSynchronize(s2))
			assert.Equal(t, []uint32{1, 1}, []uint32{av[0], bv[0]})
		})
	}
}

func TestAStreamIsAQueue(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	p, v := buffer[uint32](t, d, 4)
	g := hold(t, d, s)
	for i := range uint32(100) {
		require.NoError(t, d.Memset32(p, i, 4, s))
	}
	idle, err := d.StreamIdle(s)
	require.NoError(t, err)
	assert.False(t, idle)
	assert.Equal(t, []uint32{0, 0, 0, 0}, v)
	g.open()
	require.NoError(t, d.StreamSynchronize(s))
	assert.Equal(t, []uint32{99, 99, 99, 99}, v)
	idle, err = d.StreamIdle(s)
	require.NoError(t, err)
	assert.True(t, idle)
}

func TestEvents(t *testing.T) {
	d := open(t, Options{})
	s1, s2 := newTestStream(t, d), newTestStream(t, d)
	e, err := d.EventCreate()
	require.NoError(t, err)
	done := func() bool {
		t.Helper()
		ok, err := d.EventDone(e)
		require.NoError(t, err)
		return ok
	}
	assert.True(t, done(), "never recorded")
	require.NoError(t, d.EventSynchronize(e))
	require.NoError(t, d.StreamWaitEvent(s2, e))

	p, v := buffer[uint32](t, d, 2)
	g := hold(t, d, s1)
	require.NoError(t, d.Memset32(p, 1, 1, s1))
	require.NoError(t, d.EventRecord(e, s1))
	assert.False(t, done())
	require.NoError(t, d.StreamWaitEvent(s2, e))
	require.NoError(t, d.Memcpy(p+4, p, 4, s2))

	// Recorded again on an idle stream, the event is passed; the wait above is for the old record.
	s3 := newTestStream(t, d)
	require.NoError(t, d.EventRecord(e, s3))
	assert.True(t, done())
	require.NoError(t, d.EventDestroy(e))
	idle, err := d.StreamIdle(s2)
	require.NoError(t, err)
	assert.False(t, idle)

	g.open()
	require.NoError(t, d.StreamSynchronize(s2))
	assert.Equal(t, []uint32{1, 1}, v)
}

func TestTheNullStreamIsOrderedWithAllOthers(t *testing.T) {
	d := open(t, Options{})
	s1, s2 := newTestStream(t, d), newTestStream(t, d)
	p, v := buffer[uint32](t, d, 3)
	g := hold(t, d, s1)
	require.NoError(t, d.Memset32(p, 5, 1, s1))
	require.NoError(t, d.Memcpy(p+4, p, 4, 0))
	require.NoError(t, d.Memcpy(p+8, p+4, 4, s2))
	for _, s := range []driver.Stream{0, s2} {
		idle, err := d.StreamIdle(s)
		require.NoError(t, err)
		assert.False(t, idle)
	}
	g.open()
	require.NoError(t, d.StreamSynchronize(s2))
	assert.Equal(t, []uint32{5, 5, 5}, v)
}

func TestSynchronizingTheNullStreamWaitsForAll(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	p, v := buffer[uint32](t, d, 1)
	g := hold(t, d, s)
	require.NoError(t, d.Memset32(p, 5, 1, s))
	go g.open()
	require.NoError(t, d.StreamSynchronize(0))
	assert.Equal(t, uint32(5), v[0])
}

func TestADestroyedStreamFinishesItsWork(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	p, v := buffer[uint32](t, d, 1)
	q, err := d.MemAlloc(4)
	require.NoError(t, err)
	g := hold(t, d, s)
	require.NoError(t, d.Memset32(p, 5, 1, s))
	require.NoError(t, d.StreamDestroy(s))
	assert.ErrorIs(t, d.StreamDestroy(s), driver.InvalidHandle)
	g.open()
	require.NoError(t, d.MemFree(q), "a free waits for streams that are gone as well")
	assert.Equal(t, uint32(5), v[0])
	_, err = d.StreamCreate()
	require.NoError(t, err)
	assert.Len(t, d.devices[0].streams, 1)
}

func TestUnloadingAModuleLeavesItsLaunchesAlone(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	m, err := d.ModuleLoad(image(t))
	require.NoError(t, err)
	f, err := d.ModuleGetFunction(m, "count_up")
	require.NoError(t, err)
	p, v := buffer[uint32](t, d, 1)
	g := hold(t, d, s)
	launch := driver.Launch{Grid: d1(1), Block: d1(64), Stream: s, Params: arguments(t, p)}
	require.NoError(t, d.LaunchKernel(f, launch))
	require.NoError(t, d.ModuleUnload(m))
	assert.ErrorIs(t, d.LaunchKernel(f, launch), driver.InvalidHandle)
	_, err = d.ModuleGetFunction(m, "count_up")
	assert.ErrorIs(t, err, driver.InvalidHandle)
	g.open()
	require.NoError(t, d.StreamSynchronize(s))
	assert.Equal(t, uint32(64), v[0])
}

func TestAFailedKernelIsReportedOnce(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "poke")
	p, v := buffer[uint32](t, d, 16)
	bad := driver.Launch{Grid: d1(1), Block: d1(64), Params: arguments(t, driver.Ptr(4096), uint32(0), uint32(1))}
	good := driver.Launch{Grid: d1(1), Block: d1(64), Params: arguments(t, p, uint32(2), uint32(7))}
	e, err := d.EventCreate()
	require.NoError(t, err)

	waits := map[string]func(driver.Stream) error{
		"stream": d.StreamSynchronize,
		"event":  func(driver.Stream) error { return d.EventSynchronize(e) },
		"free": func(driver.Stream) error {
			q, err := d.MemAlloc(4)
			require.NoError(t, err)
			return d.MemFree(q)
		},
		"copy": func(s driver.Stream) error {
			h, _ := host(t, 1)
			return d.Memcpy(h, p, 4, s)
		},
		"null stream": func(driver.Stream) error { return d.StreamSynchronize(0) },
		"stream that is destroyed with work": func(s driver.Stream) error {
			g := hold(t, d, s)
			require.NoError(t, d.LaunchKernel(f, bad))
			f := d.streams.get(uintptr(s)).last()
			for d.streams.get(uintptr(s)).failed(f.n) == nil {
				runtime.Gosched() // until the first failure is taken: the second comes after the destroy
			}
			require.NoError(t, d.StreamDestroy(s))
			g.open()
			return d.StreamSynchronize(0)
		},
		"destroyed stream": func(s driver.Stream) error {
			d.streams.get(uintptr(s)).last().wait()
			return d.StreamDestroy(s)
		},
	}
	for name, wait := range waits {
		t.Run(name, func(t *testing.T) {
			v[2] = 0
			s := newTestStream(t, d)
			bad.Stream, good.Stream = s, s
			require.NoError(t, d.LaunchKernel(f, bad))
			require.NoError(t, d.LaunchKernel(f, good))
			require.NoError(t, d.EventRecord(e, s))
			err := wait(s)
			require.ErrorIs(t, err, driver.LaunchFailure)
			assert.Contains(t, err.Error(), "'hipModuleLaunchKernel(poke)' failed with 'hipErrorIllegalAddress'")
			assert.Equal(t, uint32(7), v[2], "the launch after the failed one")
			require.NoError(t, d.StreamSynchronize(0), "reported already")
		})
	}
}

func TestManyThreadsShareStreams(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "count_up")
	p, v := buffer[uint32](t, d, 1)
	shared := newTestStream(t, d)
	params := arguments(t, p)
	var wg sync.WaitGroup
	for range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			own, err := d.StreamCreate()
			assert.NoError(t, err)
			e, err := d.EventCreate()
			assert.NoError(t, err)
			for i := range 30 {
				s := []driver.Stream{own, shared, 0}[i%3]
				assert.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(2), Block: d1(64), Stream: s, Params: params}))
				assert.NoError(t, d.EventRecord(e, s))
				assert.NoError(t, d.StreamWaitEvent(own, e))
				assert.NoError(t, d.StreamSynchronize(own))
				ok, err := d.EventDone(e)
				assert.NoError(t, err)
				assert.True(t, ok)
			}
			assert.NoError(t, d.EventDestroy(e))
			assert.NoError(t, d.StreamDestroy(own))
		}()
	}
	wg.Wait()
	require.NoError(t, d.StreamSynchronize(0))
	assert.Equal(t, uint32(16*30*128), v[0])
}
