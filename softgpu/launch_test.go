package softgpu

import (
	"math"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestLaunchesThatAreRefused(t *testing.T) {
	d := open(t, Options{})
	p, _ := buffer[uint32](t, d, 1024)
	ok := arguments(t, p)
	page, err := mapMemory(4096)
	require.NoError(t, err)
	defer unmapMemory(page)
	require.NoError(t, syscall.Mprotect(page, syscall.PROT_NONE))
	wild := addressOf(page)
	for name, c := range map[string]struct {
		kernel string
		launch driver.Launch
		want   string
	}{
		"grid of zero":         {"count_up", driver.Launch{Grid: driver.Dim3{X: 1, Z: 1}, Block: d1(1), Params: ok}, "kernel count_up: grid (1,0,1) of workgroups (1,1,1) is empty along y"},
		"block of zero":        {"count_up", driver.Launch{Grid: d1(1), Block: driver.Dim3{X: 1, Y: 1}, Params: ok}, "is empty along z"},
		"block too large":      {"count_up", driver.Launch{Grid: d1(1), Block: driver.Dim3{X: 33, Y: 32, Z: 1}, Params: ok}, "workgroups of (33,32,1) have more than the 1024 work-items"},
		"block huge":           {"count_up", driver.Launch{Grid: d1(1), Block: driver.Dim3{X: math.MaxUint32, Y: math.MaxUint32, Z: math.MaxUint32}, Params: ok}, "more than the 1024 work-items"},
		"required block":       {"only_64", driver.Launch{Grid: d1(1), Block: d1(32), Params: ok}, "kernel only_64: workgroups of (32,1,1)"},
		"grid huge":            {"count_up", driver.Launch{Grid: driver.Dim3{X: math.MaxUint32, Y: math.MaxUint32, Z: math.MaxUint32}, Block: d1(64), Params: ok}, "more than 4294967295 work-items"},
		"grid just too large":  {"count_up", driver.Launch{Grid: d1(1 << 26), Block: d1(64), Params: ok}, "more than 4294967295 work-items"},
		"workgroup memory":     {"count_up", driver.Launch{Grid: d1(1), Block: d1(1), SharedBytes: 64<<10 + 1, Params: ok}, "65537 bytes of workgroup memory, 0 static and 65537 dynamic, where 65536 exist"},
		"static and dynamic":   {"reduce", driver.Launch{Grid: d1(1), Block: d1(1), SharedBytes: 64 << 10, Params: ok}, "1024 static"},
		"workgroup memory max": {"reduce", driver.Launch{Grid: d1(1), Block: d1(1), SharedBytes: math.MaxUint32, Params: ok}, "bytes of workgroup memory"},
		"no arguments":         {"vector_add", driver.Launch{Grid: d1(1), Block: d1(1)}, "kernel vector_add takes 4 arguments and got none"},
		"params unmapped":      {"count_up", driver.Launch{Grid: d1(1), Block: d1(1), Params: wild}, "params of kernel count_up, which takes 1 argument"},
		"params garbage":       {"count_up", driver.Launch{Grid: d1(1), Block: d1(1), Params: 3}, "params of kernel count_up, which takes 1 argument"},
		"an argument unmapped": {"vector_add", driver.Launch{Grid: d1(1), Block: d1(1), Params: arguments(t, p)}, "argument 1 of kernel vector_add"},
		"twice":                {"count_up", driver.Launch{Grid: d1(1), Block: d1(1), Params: ok, Extra: ok}, "given twice"},
		"extra garbage":        {"count_up", driver.Launch{Grid: d1(1), Block: d1(1), Extra: 5}, "extra of kernel count_up"},
	} {
		t.Run(name, func(t *testing.T) {
			f := kernel(t, d, image(t), c.kernel)
			err := d.LaunchKernel(f, c.launch)
			require.ErrorIs(t, err, driver.InvalidValue)
			assert.Contains(t, err.Error(), c.want)
			assert.Contains(t, err.Error(), "'hipModuleLaunchKernel("+c.kernel+")' failed with 'hipError")
			require.NoError(t, d.StreamSynchronize(0))
		})
	}
	require.NoError(t, run(t, d, image(t), "count_up", d1(1), d1(64), p), "the next launch")
}

func TestArgumentsInTheVendorsPackedForm(t *testing.T) {
	d := open(t, Options{})
	p, v := buffer[uint32](t, d, 1)
	page, err := mapMemory(4096)
	require.NoError(t, err)
	defer unmapMemory(page)
	base := uint64(addressOf(page))
	words := elements[uint64](addressOf(page), 16)
	copy(words, []uint64{2, base + 64, 1, base + 72, 3})
	words[8], words[9] = 8, uint64(p)
	f := kernel(t, d, image(t), "count_up")
	l := driver.Launch{Grid: d1(1), Block: d1(64), Extra: uintptr(base)}
	require.NoError(t, d.LaunchKernel(f, l))
	require.NoError(t, d.StreamSynchronize(0))
	assert.Equal(t, uint32(64), v[0])

	words[8] = 4
	err = d.LaunchKernel(f, l)
	require.ErrorIs(t, err, driver.InvalidValue)
	assert.Contains(t, err.Error(), "4 bytes of arguments where it takes 8")
}

func TestGarbageHandles(t *testing.T) {
	d := open(t, Options{})
	s := newTestStream(t, d)
	e, err := d.EventCreate()
	require.NoError(t, err)
	m, err := d.ModuleLoad(image(t))
	require.NoError(t, err)
	f, err := d.ModuleGetFunction(m, "empty")
	require.NoError(t, err)
	h, _ := host(t, 64)
	for _, bad := range []uintptr{1, 2, 0xff, uintptr(h), math.MaxUint64, 1 << 63, 0x51d0 << 48,
		uintptr(s) + 1, uintptr(e) + 16, uintptr(m) ^ 1<<60, uintptr(f) + 1<<20} {
		_, idle := d.StreamIdle(driver.Stream(bad))
		_, done := d.EventDone(driver.Event(bad))
		_, get := d.ModuleGetFunction(driver.Module(bad), "empty")
		for call, err := range map[string]error{
			"stream destroy": d.StreamDestroy(driver.Stream(bad)), "stream synchronize": d.StreamSynchronize(driver.Stream(bad)),
			"stream idle": idle, "wait on": d.StreamWaitEvent(driver.Stream(bad), e), "wait for": d.StreamWaitEvent(s, driver.Event(bad)),
			"event destroy": d.EventDestroy(driver.Event(bad)), "event record": d.EventRecord(driver.Event(bad), s),
			"record on": d.EventRecord(e, driver.Stream(bad)), "event synchronize": d.EventSynchronize(driver.Event(bad)),
			"event done": done, "unload": d.ModuleUnload(driver.Module(bad)), "get function": get,
			"launch":    d.LaunchKernel(driver.Function(bad), driver.Launch{Grid: d1(1), Block: d1(1)}),
			"launch on": d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1), Stream: driver.Stream(bad)}),
			"copy on":   d.Memcpy(h, h, 4, driver.Stream(bad)),
		} {
			assert.ErrorIs(t, err, driver.InvalidHandle, "%s of %#x", call, bad)
		}
	}
	// A handle of one kind is none of another.
	assert.ErrorIs(t, d.StreamSynchronize(driver.Stream(e)), driver.InvalidHandle)
	assert.ErrorIs(t, d.EventSynchronize(driver.Event(s)), driver.InvalidHandle)
	require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1), Stream: s}))
	require.NoError(t, d.StreamSynchronize(s))
}

func TestCooperativeLaunch(t *testing.T) {
	d := open(t, Options{})
	f := kernel(t, d, image(t), "count_up")
	p, v := buffer[uint32](t, d, 1)
	l := driver.Launch{Grid: d1(10), Block: d1(64), Params: arguments(t, p)}
	require.NoError(t, d.LaunchCooperative(f, driver.Dim3{}, l))
	require.NoError(t, d.StreamSynchronize(0))
	assert.Equal(t, uint32(640), v[0])
	assert.ErrorIs(t, d.LaunchCooperative(f, d1(2), l), driver.NotSupported)
	l.Grid.X = 1 << 20
	err := d.LaunchCooperative(f, driver.Dim3{}, l)
	require.Error(t, err)
	assert.Contains(t, err.Error(), "hipErrorCooperativeLaunchTooLarge")
}

// The workgroups of a cooperative launch, as many as the device holds, each see what all
// others did before the barrier.
func TestCooperativeLaunchesHaveABarrierOverTheGrid(t *testing.T) {
	source := filepath.Join(t.TempDir(), "meet.cl")
	require.NoError(t, os.WriteFile(source, []byte(`__kernel void meet(__global unsigned *count, __global unsigned *seen, unsigned groups) {
  for (int turn = 0; turn < 3; turn++) {
    __scoped_atomic_fetch_add(count, 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __builtin_amdgcn_ds_gws_barrier(groups - 1, 0);
    seen[__builtin_amdgcn_workgroup_id_x() * 3 + turn] = __scoped_atomic_load_n(count, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    __builtin_amdgcn_ds_gws_barrier(groups - 1, 0);
  }
}`), 0o600))
	code := compile(t, []string{"-x", "cl", "-cl-std=CL2.0", source, "-mcpu=gfx906", "-O1"})
	for _, check := range []string{"", "memory,race"} {
		said := &reports{}
		d := open(t, Options{Check: check, Reports: said})
		f := kernel(t, d, code, "meet")
		most := uint32(d.devices[0].machine.Resident(d.functions.get(uintptr(f)).kernel, [3]uint32{1, 1, 1}, 0))
		for _, groups := range []uint32{1, 2, 100, most} {
			p, count := buffer[uint32](t, d, 1)
			q, seen := buffer[uint32](t, d, int(groups)*3)
			count[0] = 0
			l := driver.Launch{Grid: d1(groups), Block: d1(1), Params: arguments(t, p, q, groups)}
			require.NoError(t, d.LaunchCooperative(f, driver.Dim3{}, l))
			require.NoError(t, d.StreamSynchronize(0))
			for i, n := range seen {
				require.Equal(t, uint32(i%3+1)*groups, n, "turn %d of workgroup %d of %d", i%3, i/3, groups)
			}
		}
		require.Empty(t, said.String())
		p, _ := buffer[uint32](t, d, 6)
		err := run(t, d, code, "meet", d1(2), d1(1), p, p, uint32(2))
		require.ErrorIs(t, err, driver.LaunchFailure)
		require.ErrorContains(t, err, "global wave sync in a launch that is not cooperative, in `ds_gws_barrier")
	}
}

// given is a ThreadLocal of threads that the test names.
type given struct {
	thread string
	of     map[string]int
}

func (g *given) Load() int   { return g.of[g.thread] }
func (g *given) Store(n int) { g.of[g.thread] = n }

func TestTheCurrentDeviceIsKeptWhereTheOpenerSays(t *testing.T) {
	threads := &given{thread: "old", of: map[string]int{}}
	d := open(t, Options{Devices: 3, Current: threads})
	require.NoError(t, d.SetDevice(2))
	for thread, want := range map[string]int{"old": 2, "new": 0} {
		threads.thread = thread // the system may well have given both the same id
		now, err := d.Device()
		require.NoError(t, err)
		assert.Equal(t, want, now, thread)
	}
}

func TestSeveralDevices(t *testing.T) {
	d := open(t, Options{Devices: 2})
	assert.Equal(t, 2, d.DeviceCount())
	assert.Equal(t, "gfx906 (software)", d.DeviceName(1))
	for _, bad := range []int{-1, 2, math.MaxInt} {
		assert.ErrorIs(t, d.SetDevice(bad), driver.InvalidDevice)
		assert.Empty(t, d.DeviceName(bad))
	}
	onOwnThread(func() {
		f := kernel(t, d, image(t), "empty")
		require.NoError(t, d.SetDevice(1))
		now, err := d.Device()
		require.NoError(t, err)
		assert.Equal(t, 1, now)
		s := newTestStream(t, d)
		assert.ErrorIs(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1), Stream: s}), driver.InvalidHandle)
		f = kernel(t, d, image(t), "empty")
		require.NoError(t, d.LaunchKernel(f, driver.Launch{Grid: d1(1), Block: d1(1), Stream: s}))
		onOtherThread(func() {
			now, err := d.Device()
			assert.NoError(t, err)
			assert.Equal(t, 0, now)
		})
	})
}

// A program may write another name where the first one was, as Python does with names of one length.
func TestNamesOfKernelsAreReadOnlyInTheCall(t *testing.T) {
	d := open(t, Options{})
	m, err := d.ModuleLoad(image(t))
	require.NoError(t, err)
	memory := []byte("shape")
	first, err := d.ModuleGetFunction(m, unsafe.String(&memory[0], len(memory)))
	require.NoError(t, err)
	copy(memory, "table")
	second, err := d.ModuleGetFunction(m, unsafe.String(&memory[0], len(memory)))
	require.NoError(t, err)
	require.NotEqual(t, first, second)
	for name, f := range map[string]driver.Function{"shape": first, "table": second} {
		again, err := d.ModuleGetFunction(m, name)
		require.NoError(t, err)
		require.Equal(t, f, again, name)
	}
}
