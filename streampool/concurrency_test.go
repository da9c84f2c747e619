package streampool

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// countingDriver creates handles and answers every third query with "idle".
type countingDriver struct {
	next, asked, destroyed atomic.Uint64
}

func (d *countingDriver) StreamCreate() (driver.Stream, error) {
	return driver.Stream(d.next.Add(1) << 8), nil
}

func (d *countingDriver) StreamDestroy(driver.Stream) error { d.destroyed.Add(1); return nil }

func (d *countingDriver) StreamIdle(driver.Stream) (bool, error) { return d.asked.Add(1)%3 == 0, nil }

func (d *countingDriver) StreamCondition(driver.Stream) Condition { return Usable }

func (d *countingDriver) StreamKnown(driver.Stream) bool { return false }

func (d *countingDriver) EndCapture(driver.Stream) bool { return false }

func (d *countingDriver) EventRecord(driver.Event, driver.Stream) error { return nil }

func (d *countingDriver) EventCreate() (driver.Event, error) {
	return driver.Event(d.next.Add(1) << 8), nil
}

func (d *countingDriver) EventDestroy(driver.Event) error { d.destroyed.Add(1); return nil }

func (d *countingDriver) EventDone(driver.Event) (bool, error) { return d.asked.Add(1)%3 == 0, nil }

func TestNoTwoThreadsHoldOneStream(t *testing.T) {
	d := new(countingDriver)
	p := New(Config{Devices: 2, MaxIdle: 4, MaxDraining: 4})
	var holders sync.Map
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range 400 {
				s, _, err := p.Get(d, g%2)
				if err != nil {
					t.Error(err)
					return
				}
				if _, taken := holders.LoadOrStore(s, g); taken {
					t.Errorf("stream %#x has two holders", s)
					return
				}
				e := p.Find(uintptr(s))
				if e.Device() != g%2 || e.State() != Live {
					t.Errorf("stream %#x: device %d, %v", s, e.Device(), e.State())
				}
				e.Submitted()
				if i%3 != 0 {
					e.Synchronized(e.Submissions())
				}
				holders.Delete(s)
				if _, err := p.Put(d, s); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	wg.Wait()
	var pooled, created, destroyed, taken uint64
	for device := range 2 {
		s := p.Stats(Stream, device)
		pooled += uint64(s.Idle + s.Draining)
		created += s.Created
		destroyed += s.Destroyed
		taken += s.Created + s.Reused
	}
	require.Equal(t, uint64(64*400), taken)
	require.Equal(t, d.next.Load(), created)
	require.Equal(t, d.destroyed.Load(), destroyed)
	require.Equal(t, created, pooled+destroyed, "nothing is lost, nothing is there twice")
}

func TestOneOfManyDestroysOfOneHandleWins(t *testing.T) {
	d := new(countingDriver)
	p := New(Config{})
	for range 200 {
		s, _, err := p.Get(d, 0)
		require.NoError(t, err)
		e := p.Find(uintptr(s))
		e.Synchronized(e.Submissions())
		var wg sync.WaitGroup
		var won atomic.Int32
		for range 4 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				if o, _ := p.Put(d, s); o != WasStale {
					won.Add(1)
				}
			}()
		}
		wg.Wait()
		require.EqualValues(t, 1, won.Load())
	}
	require.Equal(t, 1, p.Stats(Stream, 0).Idle)
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	d := new(countingDriver)
	p := New(Config{})
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		s, _, _ := p.Get(d, 0)
		e := p.Find(uintptr(s))
		e.Submitted()
		e.Synchronized(e.Submissions())
		_, _ = p.Put(d, s)
	}))
	drained, _, _ := p.Get(d, 0)
	_, _ = p.Put(d, drained)
	require.Zero(t, testing.AllocsPerRun(1000, func() {
		ev, _, _ := p.GetEvent(d, 0)
		e := p.Find(uintptr(ev))
		e.Submitted()
		e.Synchronized(e.Submissions())
		_, _ = p.PutEvent(d, ev)
	}))
}

func cycle(p *Pool, d Driver) {
	s, _, _ := p.Get(d, 0)
	e := p.Find(uintptr(s))
	e.Submitted()
	e.Synchronized(e.Submissions())
	_, _ = p.Put(d, s)
}

func BenchmarkGetSubmitSynchronizePut(b *testing.B) {
	d := new(countingDriver)
	p := New(Config{})
	for i := 0; i < b.N; i++ {
		cycle(p, d)
	}
}

func BenchmarkFromManyThreads(b *testing.B) {
	d := new(countingDriver)
	p := New(Config{MaxIdle: 128})
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			cycle(p, d)
		}
	})
}

func TestEntriesDoNotShareCacheLines(t *testing.T) {
	require.Zero(t, reflect.TypeFor[Entry]().Size()%64)
}
