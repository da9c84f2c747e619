package mgpu

//go:generate go tool mockgen -source=driver/driver.go -destination=mock_test.go -package=mgpu

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/mgpu/internal/region"
)

// host is a Runtime over one driver, with its printed lines.
type host struct {
	*Runtime
	*region.Regions
	mu     sync.Mutex
	stderr bytes.Buffer
}

// MemAlloc is Runtime.MemAlloc without an origin.
func (h *host) MemAlloc(bytes uint64, stream uintptr, shared bool) uintptr {
	return h.Runtime.MemAlloc(bytes, stream, shared, Origin{})
}

// RecordAlloc is Regions.RecordAlloc with an origin.
func (h *host) RecordAlloc(id uintptr, bytes uint64, from Origin) (ptr uintptr, over bool) {
	return h.Regions.RecordAlloc(id, bytes, from.Site, from.Session)
}

func (h *host) RecordLaunch(id uintptr, l *Launch) bool { return h.Runtime.RecordLaunch(id, l) }

func (h *host) ModuleLoad(image uintptr) uintptr {
	m, _ := h.Runtime.ModuleLoad(image)
	return m
}

func (h *host) Write(line []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stderr.Write(line)
}

// lines returns the lines printed since the last call.
func (h *host) lines() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.stderr.Reset()
	return strings.Split(strings.TrimSuffix(h.stderr.String(), "\n"), "\n")
}

func (h *host) requireSilence(t *testing.T) {
	t.Helper()
	require.Equal(t, []string{""}, h.lines())
}

func over(d driver.Driver, cfg Config) *host {
	h := &host{}
	cfg.Stderr = h
	cfg.Drivers = []Opener{{Name: d.Name(), Open: func() (driver.Driver, error) { return d, nil }}}
	h.Runtime = New(cfg)
	h.Regions = h.Runtime.Regions()
	return h
}

// mocked makes a Runtime over a mock with the given number of devices.
func mocked(t *testing.T, devices int, cfg Config) (*host, *MockDriver) {
	d := NewMockDriver(gomock.NewController(t))
	d.EXPECT().Name().Return("mock").AnyTimes()
	d.EXPECT().DeviceCount().Return(devices).AnyTimes()
	d.EXPECT().DeviceName(gomock.Any()).Return("mocked GPU").AnyTimes()
	return over(d, cfg), d
}

func stat(t *testing.T, r *Runtime, name string) FunctionStats {
	t.Helper()
	for _, f := range r.Snapshot().Functions {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("no function %s", name)
	return FunctionStats{}
}

var boom = &driver.Error{Call: "hipDoIt", Name: "hipErrorUnknown", Code: driver.Unknown}

func TestTheDriverOpensAtTheFirstCallAndOnce(t *testing.T) {
	opened := 0
	h := &host{}
	h.Runtime = New(Config{Stderr: h, Drivers: []Opener{{Name: "null", Open: func() (driver.Driver, error) {
		opened++
		return null.Open(null.Options{}), nil
	}}}})
	assert.Zero(t, opened)
	assert.Empty(t, h.Snapshot().Driver)
	var wg sync.WaitGroup
	for range 8 {
		wg.Add(1)
		go func() { defer wg.Done(); h.StreamDestroy(h.StreamCreate()) }()
	}
	wg.Wait()
	assert.Equal(t, 1, opened)
	h.requireSilence(t)
}

func TestChoiceOfDriver(t *testing.T) {
	open := func() (driver.Driver, error) { return null.Open(null.Options{}), nil }
	refuse := func() (driver.Driver, error) { return nil, errors.New("libfoo.so: no such file") }
	drivers := []Opener{{Name: "foo", Open: refuse}, {Name: "never", Open: open, OnDemand: true}, {Name: "soft", Open: open, Fallback: true}}
	for name, c := range map[string]struct {
		want  string // MGPU_DRIVER
		from  []Opener
		works bool
		says  string
	}{
		"falling back says why":           {"", drivers, true, "mgpu: no GPU found (foo: libfoo.so: no such file); running on nothing"},
		"a forced driver says nothing":    {"soft", drivers, true, ""},
		"on demand":                       {"never", drivers, true, ""},
		"a forced driver that can't open": {"foo", drivers, false, "'mgpuStreamCreate' failed with 'MGPU_DRIVER=foo: libfoo.so: no such file'"},
		"no such driver":                  {"bar", drivers, false, "'mgpuStreamCreate' failed with 'MGPU_DRIVER=bar: expected foo, never or soft'"},
		"none opens":                      {"", drivers[:1], false, "'mgpuStreamCreate' failed with 'foo: libfoo.so: no such file'"},
	} {
		t.Run(name, func(t *testing.T) {
			h := &host{}
			h.Runtime = New(Config{Stderr: h, Drivers: c.from, Driver: c.want})
			assert.Equal(t, c.works, h.StreamCreate() != 0)
			assert.Equal(t, []string{c.says}, h.lines())
		})
	}
}

func TestAnErrorIsOneLineInStocksFormAndAborts(t *testing.T) {
	aborted := 0
	h, d := mocked(t, 1, Config{Abort: func() { aborted++ }})
	d.EXPECT().MemAlloc(uint64(512)).Return(driver.Ptr(0), boom)
	assert.Zero(t, h.MemAlloc(64, 0, false))
	assert.Equal(t, []string{"'hipDoIt' failed with 'hipErrorUnknown'"}, h.lines())
	assert.Equal(t, 1, aborted)
}

func TestHostSharedCountsOnlyWithoutAStream(t *testing.T) {
	h, d := mocked(t, 1, Config{})
	gomock.InOrder(
		d.EXPECT().MemAllocManaged(uint64(512)).Return(driver.Ptr(0x1000), nil),
		d.EXPECT().MemAlloc(uint64(512)).Return(driver.Ptr(0x2000), nil),
		d.EXPECT().MemAlloc(uint64(512)).Return(driver.Ptr(0x3000), nil),
	)
	assert.Equal(t, uintptr(0x1000), h.MemAlloc(8, 0, true))
	assert.Equal(t, uintptr(0x2000), h.MemAlloc(8, 0x40, true))
	assert.Equal(t, uintptr(0x3000), h.MemAlloc(8, 0, false))
	assert.Zero(t, h.MemAlloc(0, 0, false), "zero bytes are null and no driver call")
	h.requireSilence(t)
}

func TestEachFunctionIsChargedForItsOwnDriverCalls(t *testing.T) {
	h, d := mocked(t, 1, Config{Timing: true})
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil).Times(1)
	d.EXPECT().StreamSynchronize(driver.Stream(0x100)).Return(nil).Times(10)
	for range 10 {
		s := h.StreamCreate()
		h.StreamSynchronize(s)
		h.StreamDestroy(s)
	}
	create, sync, destroy := stat(t, h.Runtime, "mgpuStreamCreate"), stat(t, h.Runtime, "mgpuStreamSynchronize"), stat(t, h.Runtime, "mgpuStreamDestroy")
	assert.Equal(t, [4]uint64{10, 1, 9, 1}, [4]uint64{create.Calls, create.DriverCalls, create.Hits, create.Misses})
	assert.Equal(t, [2]uint64{10, 10}, [2]uint64{sync.Calls, sync.DriverCalls})
	assert.Equal(t, [3]uint64{10, 0, 10}, [3]uint64{destroy.Calls, destroy.DriverCalls, destroy.Hits})
	assert.NotZero(t, create.TotalNS)
	assert.LessOrEqual(t, create.DriverNS, create.TotalNS)
	var table bytes.Buffer
	snapshot := h.Snapshot()
	require.NoError(t, snapshot.WriteTable(&table))
	assert.Regexp(t, `mgpuStreamCreate +10 +1 +9 +1 +0 +0\.\d+ ms +0\.\d+ ms`, table.String())
	assert.NotContains(t, table.String(), "mgpuMemAlloc", "functions that were never called take no row")
}

func TestWithTheCacheOffEveryCallGoesToTheDriver(t *testing.T) {
	h, d := mocked(t, 1, Config{NoCache: true})
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil).Times(3)
	d.EXPECT().StreamDestroy(driver.Stream(0x100)).Return(nil).Times(3)
	d.EXPECT().EventCreate().Return(driver.Event(0x200), nil).Times(3)
	d.EXPECT().EventDestroy(driver.Event(0x200)).Return(nil).Times(3)
	for range 3 {
		h.StreamDestroy(h.StreamCreate())
		h.EventDestroy(h.EventCreate())
	}
	h.requireSilence(t)
}

func TestAStreamInAnEventsPlace(t *testing.T) {
	const stream, other, event = driver.Stream(0x100), driver.Stream(0x140), driver.Event(0x200)
	h, d := mocked(t, 1, Config{})
	d.EXPECT().StreamCreate().Return(stream, nil)
	d.EXPECT().StreamCreate().Return(other, nil)
	require.Equal(t, uintptr(stream), h.StreamCreate())
	require.Equal(t, uintptr(other), h.StreamCreate())

	gomock.InOrder(
		d.EXPECT().EventCreate().Return(event, nil),
		d.EXPECT().EventRecord(event, other).Return(nil),
		d.EXPECT().StreamWaitEvent(stream, event).Return(nil),
		d.EXPECT().StreamSynchronize(other).Return(nil),
	)
	h.StreamWaitEvent(uintptr(stream), uintptr(other))
	h.EventSynchronize(uintptr(other))
	h.EventDestroy(uintptr(other))
	h.requireSilence(t)

	h.StreamDestroy(uintptr(other))
	require.Len(t, h.lines(), 1, "a second destroy is reported")
	h.EventDestroy(uintptr(other))
	h.requireSilence(t)
}

// The default stream of the thread's device waits, not that of the other stream's device.
func TestADefaultStreamWaitsForAStreamOfAnotherDevice(t *testing.T) {
	const other, event = driver.Stream(0x140), driver.Event(0x200)
	h, d := mocked(t, 2, Config{})
	current := 0
	d.EXPECT().Device().DoAndReturn(func() (int, error) { return current, nil }).AnyTimes()
	d.EXPECT().SetDevice(gomock.Any()).DoAndReturn(func(device int) error { current = device; return nil }).AnyTimes()
	d.EXPECT().StreamCreate().Return(other, nil)
	h.SetDefaultDevice(1)
	h.StreamCreate()
	h.SetDefaultDevice(0)
	gomock.InOrder(
		d.EXPECT().EventCreate().DoAndReturn(func() (driver.Event, error) { return event, deviceIs(current, 1) }),
		d.EXPECT().EventRecord(event, other).DoAndReturn(func(driver.Event, driver.Stream) error { return deviceIs(current, 1) }),
		d.EXPECT().StreamWaitEvent(driver.Stream(0), event).DoAndReturn(func(driver.Stream, driver.Event) error { return deviceIs(current, 0) }),
	)
	h.StreamWaitEvent(0, uintptr(other))
	assert.Zero(t, current)
	h.requireSilence(t)
}

func deviceIs(current, want int) error {
	if current != want {
		return fmt.Errorf("device %d is current, not %d", current, want)
	}
	return nil
}

func TestUseAfterDestroyIsReportedOnceAndReachesNoDriver(t *testing.T) {
	h, d := mocked(t, 1, Config{})
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	s := h.StreamCreate()
	h.StreamDestroy(s)
	h.requireSilence(t)
	h.LaunchKernel(&Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: s})
	said := h.lines()
	require.Len(t, said, 1)
	assert.Contains(t, said[0], "mgpuLaunchKernel(0x100)")
	assert.Contains(t, said[0], "destroyed before")
	h.Memcpy(0x1000, 0x2000, 8, s)
	h.StreamSynchronize(s)
	h.requireSilence(t)
}

func TestAKnownHandleOfAnotherKindReachesNoDriver(t *testing.T) {
	h, d := mocked(t, 1, Config{})
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	d.EXPECT().EventCreate().Return(driver.Event(0x200), nil)
	s, e := h.StreamCreate(), h.EventCreate()
	for name, call := range map[string]func(){
		"mgpuStreamSynchronize(0x200)": func() { h.StreamSynchronize(e) },
		"mgpuStreamDestroy(0x200)":     func() { h.StreamDestroy(e) },
		"mgpuStreamWaitEvent(0x200)":   func() { h.StreamWaitEvent(e, e) },
		"mgpuLaunchKernel(0x200)":      func() { h.LaunchKernel(&Launch{Function: 1, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: e}) },
		"mgpuMemcpy(0x200)":            func() { h.Memcpy(0x1000, 0x2000, 8, e) },
		"mgpuMemset16(0x200)":          func() { h.Memset16(0x1000, 1, 8, e) },
		"mgpuEventRecord(0x200)":       func() { h.EventRecord(e, e) },
		"mgpuEventRecord(0x100)":       func() { h.EventRecord(s, s) },
	} {
		call()
		said := h.lines()
		require.Len(t, said, 1, name)
		assert.Contains(t, said[0], "'"+name+"' failed with")
	}
}

func TestAFailedLaunchNamesItsKernel(t *testing.T) {
	h, d := mocked(t, 1, Config{})
	h.nameKernel(0x500, 1, "matmul")
	d.EXPECT().LaunchKernel(driver.Function(0x500), gomock.Any()).Return(boom)
	h.LaunchKernel(&Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}})
	assert.Equal(t, []string{"'hipDoIt(matmul)' failed with 'hipErrorUnknown'"}, h.lines())
}

func TestForeignStreamsPassThrough(t *testing.T) {
	const foreign = driver.Stream(0x7777)
	h, d := mocked(t, 1, Config{})
	d.EXPECT().Memset32(driver.Ptr(0x1000), uint32(7), uint64(4), foreign).Return(nil)
	d.EXPECT().StreamSynchronize(foreign).Return(nil)
	d.EXPECT().StreamDestroy(foreign).Return(nil)
	h.Memset32(0x1000, 7, 4, uintptr(foreign))
	h.StreamSynchronize(uintptr(foreign))
	h.StreamDestroy(uintptr(foreign))
	h.requireSilence(t)
}

func TestSizesThatNoDriverTakesAreRefused(t *testing.T) {
	one := Dims{1, 1, 1}
	for why, l := range map[string]Launch{
		"grid (-1,1,1): sizes are from 1 to 4294967295":                {Grid: Dims{-1, 1, 1}, Block: one},
		"grid (4294967296,1,1): sizes are from 1 to 4294967295":        {Grid: Dims{1 << 32, 1, 1}, Block: one},
		"workgroups of (1,-5,1): sizes are from 1 to 4294967295":       {Grid: one, Block: Dims{1, -5, 1}},
		"clusters of (1,1,8589934592): sizes are from 1 to 4294967295": {Grid: one, Block: one, Cluster: Dims{1, 1, 1 << 33}},
		"-1 bytes of dynamic workgroup memory":                         {Grid: one, Block: one, Shared: -1},
	} {
		h, _ := mocked(t, 1, Config{})
		l.Function = 0x500
		h.LaunchKernel(&l)
		lines := h.lines()
		require.Len(t, lines, 1)
		assert.Contains(t, lines[0], "failed with 'invalid value': "+why)
	}
}

func TestStreamsAreKeptPerDevice(t *testing.T) {
	h, d := mocked(t, 2, Config{})
	gomock.InOrder(
		d.EXPECT().Device().Return(0, nil), d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil),
		d.EXPECT().StreamSynchronize(driver.Stream(0x100)).Return(nil),
		d.EXPECT().SetDevice(1).Return(nil),
		d.EXPECT().Device().Return(1, nil), d.EXPECT().StreamCreate().Return(driver.Stream(0x140), nil),
		d.EXPECT().SetDevice(0).Return(nil),
		d.EXPECT().Device().Return(0, nil),
	)
	a := h.StreamCreate()
	h.StreamSynchronize(a)
	h.StreamDestroy(a)
	h.SetDefaultDevice(1)
	assert.NotEqual(t, a, h.StreamCreate())
	h.SetDefaultDevice(0)
	assert.Equal(t, a, h.StreamCreate())
	h.requireSilence(t)
}

func TestTheSteadyStateAllocatesNothing(t *testing.T) {
	h := over(null.Open(null.Options{}), Config{})
	cycle := func() {
		s := h.StreamCreate()
		h.LaunchKernel(&Launch{Function: 0x500, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}, Stream: s})
		h.StreamSynchronize(s)
		e := h.EventCreate()
		h.EventRecord(e, s)
		h.StreamWaitEvent(s, e)
		h.EventSynchronize(e)
		h.EventDestroy(e)
		h.StreamSynchronize(s)
		h.StreamDestroy(s)
	}
	cycle()
	assert.Zero(t, testing.AllocsPerRun(1000, cycle))
	h.requireSilence(t)
}

// sleeper is a driver whose waits look like C functions.
type sleeper struct {
	*null.Driver
	fail error
}

func (sleeper) WaitStream(s driver.Stream) driver.Blocking {
	return driver.Blocking{Fn: 0xc0de, Arg: [5]uintptr{uintptr(s)}}
}

func (s sleeper) Status(string, int32) error { return s.fail }

func TestAWaitThatCMakes(t *testing.T) {
	d := &sleeper{Driver: null.Open(null.Options{})}
	h := over(d, Config{Timing: true})
	s := h.StreamCreate()
	w := h.StreamSynchronize(s)
	require.Equal(t, uintptr(0xc0de), w.Fn)
	require.Equal(t, s, w.Arg[0])
	h.Waited(w, 0)
	h.StreamDestroy(s)
	assert.Equal(t, s, h.StreamCreate(), "a stream known to be idle is the next one handed out")
	h.requireSilence(t)

	w = h.StreamSynchronize(s)
	d.fail = boom
	h.Waited(w, 719)
	assert.Equal(t, []string{"'hipDoIt' failed with 'hipErrorUnknown'"}, h.lines())
	f := stat(t, h.Runtime, "mgpuStreamSynchronize")
	assert.Equal(t, uint64(2), f.DriverCalls)
	assert.NotZero(t, f.DriverNS)
}

func TestManyThreadsShareOneRuntime(t *testing.T) {
	h := over(null.Open(null.Options{}), Config{})
	var wg sync.WaitGroup
	for range 64 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 200 {
				a, b := h.StreamCreate(), h.StreamCreate()
				assert.NotEqual(t, a, b)
				e := h.EventCreate()
				h.EventRecord(e, a)
				h.StreamWaitEvent(b, e)
				h.EventDestroy(e)
				h.StreamSynchronize(b)
				h.StreamDestroy(a)
				h.StreamDestroy(b)
			}
		}()
	}
	wg.Wait()
	assert.Equal(t, uint64(64*200*2), stat(t, h.Runtime, "mgpuStreamCreate").Calls)
	h.requireSilence(t)
}
