package cuda_test

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func opened(t testing.TB, library string) *cuda.Driver {
	t.Helper()
	d, err := cuda.Open(library)
	require.NoError(t, err)
	require.Equal(t, library, d.Library())
	return d
}

func TestALibraryWithoutWhatIsRequiredIsRefusedByName(t *testing.T) {
	path := drivertest.Stub(t, "-DcuLaunchKernel=absent1", "-DcuEventQuery=absent2")
	d, err := cuda.Open(path)
	if err == nil {
		require.NotEqual(t, path, d.Library())
		t.Skip("this machine has a CUDA driver, which was taken instead")
	}
	require.ErrorContains(t, err, "tried "+path+" (not a CUDA driver: it has no cuLaunchKernel, no cuEventQuery)")
	require.ErrorContains(t, err, ", then libcuda.so.1", "the usual name is tried after it")
}

func TestWhatAnOldDriverLacksIsNotSupportedWhereItIsUsed(t *testing.T) {
	path := drivertest.Stub(t, "-DcuLaunchKernelEx=absent1", "-DcuLaunchCooperativeKernel=absent2", "-DcuTensorMapEncodeTiled=absent3",
		"-DcuMemAllocManaged=absent4")
	d := opened(t, path)
	_, managed := d.MemAllocManaged(1)
	pair := driver.Dim3{X: 2, Y: 1, Z: 1}
	for name, c := range map[string]struct {
		call string
		err  error
	}{
		"managed":             {"cuMemAllocManaged", managed},
		"cluster":             {"cuLaunchKernelEx", d.LaunchCluster(1, pair, driver.Launch{})},
		"cooperative":         {"cuLaunchCooperativeKernel", d.LaunchCooperative(1, driver.Dim3{}, driver.Launch{})},
		"cooperative cluster": {"cuLaunchKernelEx", d.LaunchCooperative(1, pair, driver.Launch{})},
		"tensor map":          {"cuTensorMapEncodeTiled", d.EncodeTiled(driver.TensorMap{})},
	} {
		require.ErrorIs(t, c.err, driver.NotSupported, name)
		require.EqualError(t, c.err, "'"+c.call+"' failed with 'CUDA_ERROR_NOT_SUPPORTED': "+path+", for CUDA 11.4, has no such function")
	}
	require.NoError(t, d.LaunchKernel(1, driver.Launch{}), "what it has works")
}

func TestADriverWithoutADeviceDoesNotOpen(t *testing.T) {
	for says, define := range map[string]string{
		"('cuDeviceGetCount' failed with 'CUDA_ERROR_NO_DEVICE': it counts 0 devices)": "-DDEVICES=0",
		"('cuInit' failed with 'CUDA_ERROR_NO_DEVICE': what it means)":                 "-DINIT=100",
		"('cuInit' failed with 'CUDA_ERROR_SYSTEM_DRIVER_MISMATCH': what it means)":    "-DINIT=803",
		fmt.Sprintf("('cuInit' failed with 'CUDA error %d': what it means)", 999):      "-DINIT=999",
		"('cuInit' failed with 'CUDA_ERROR_STUB_LIBRARY': what it means)":              "-DINIT=34",
	} {
		path := drivertest.Stub(t, define)
		_, err := cuda.Open(path)
		require.ErrorContains(t, err, "tried "+path+" "+says)
		require.NotContains(t, err.Error(), "then", "a CUDA driver without a device ends the search")
	}
}

// used is the context that a call of the driver is made in.
func used(t *testing.T, d *cuda.Driver) int {
	t.Helper()
	p, err := d.MemAlloc(1)
	require.NoError(t, err)
	return int(p)
}

// found tells which context is current between calls of the driver, and how
// many were retained, as the stub's version numbers do.
func found(context, retained int) string { return fmt.Sprintf("sm_%d%d", context, retained) }

func TestEachThreadHasItsDeviceAndItsContextIsRetainedOnce(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.Equal(t, found(0, 0), d.Architecture(0), "opening binds nothing")
	require.Equal(t, 10, used(t, d))
	require.NoError(t, d.SetDevice(2))
	require.Equal(t, 12, used(t, d))
	require.Equal(t, found(12, 2), d.Architecture(0), "the thread stays bound")

	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and let the thread end with the goroutine
		device, err := d.Device()
		require.NoError(t, err)
		require.Zero(t, device)
		require.Equal(t, 10, used(t, d))
		require.NoError(t, d.SetDevice(1))
		require.Equal(t, 11, used(t, d))
	}()
	<-done
	require.Equal(t, 12, used(t, d))
	require.NoError(t, d.SetDevice(0))
	require.Equal(t, 10, used(t, d))
	require.Equal(t, found(10, 3), d.Architecture(0), "three devices, three contexts")

	require.ErrorIs(t, d.SetDevice(3), driver.InvalidDevice)
	require.ErrorIs(t, d.SetDevice(-1), driver.InvalidDevice)
	require.ErrorIs(t, d.SetDevice(1<<40), driver.InvalidDevice)
	require.Equal(t, 10, used(t, d))
}

func TestADeviceWithoutAContextIsNotTheCallersFault(t *testing.T) {
	d := opened(t, drivertest.Stub(t, "-DRETAIN=2"))
	for range 2 {
		_, err := d.StreamCreate()
		require.ErrorIs(t, err, driver.OutOfMemory)
		require.EqualError(t, err, "'cuDevicePrimaryCtxRetain' failed with 'CUDA_ERROR_OUT_OF_MEMORY'")
	}
}

func TestAContextOfTheProgramsOwnIsBackInPlaceAfterwards(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	require.Equal(t, 10, used(t, d))
	require.NoError(t, d.HostUnregister(77), "the program binds a context")
	require.Equal(t, found(77, 1), d.Architecture(0))
	require.Equal(t, 10, used(t, d))
	require.NoError(t, d.SetDevice(1))
	require.Equal(t, 11, used(t, d))
	require.Equal(t, found(77, 2), d.Architecture(0), "the program's is current again")
}

func TestTheLimitOfSharedMemoryIsSetOnlyWhereItHasToGrow(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	launch := func(f driver.Function, bytes uint32) error {
		return d.LaunchKernel(f, driver.Launch{SharedBytes: bytes})
	}
	sets := func() (n int) {
		_, err := fmt.Sscanf(launch(9, 1<<20).Error(), "'cuFuncSetAttribute' failed with 'CUDA_ERROR_INVALID_VALUE': "+
			"1048576 bytes of dynamic shared memory, and %d static ones, for a thread block; the device has 65536", &n)
		require.NoError(t, err)
		return n
	}
	require.NoError(t, launch(1, 0))
	require.NoError(t, launch(1, 48<<10))
	require.Equal(t, 0, sets(), "what functions have anyway")
	for range 3 {
		require.NoError(t, launch(1, 50<<10))
		require.NoError(t, launch(1, 49<<10))
	}
	require.Equal(t, 1, sets(), "once per function")
	require.NoError(t, launch(2, 50<<10))
	require.NoError(t, launch(1, 60<<10))
	require.Equal(t, 3, sets(), "for each function, and where it grows")
	require.NoError(t, d.ModuleUnload(5))
	require.NoError(t, launch(1, 50<<10))
	require.Equal(t, 4, sets(), "handles of an unloaded module's functions may come back as others'")
	require.ErrorIs(t, launch(1, 1<<31), driver.InvalidValue)
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = launch(1, 50<<10) }))
}

func TestTheLimitIsTheUsualWhereItCantBeSet(t *testing.T) {
	d := opened(t, drivertest.Stub(t, "-DNO_LIMITS"))
	require.NoError(t, d.LaunchKernel(1, driver.Launch{SharedBytes: 48 << 10}))
	require.ErrorIs(t, d.LaunchKernel(1, driver.Launch{SharedBytes: 49 << 10}), driver.NotSupported)
}

func TestWhatIsNoImageIsRefusedBeforeItIsRead(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	for _, image := range []string{"", "\x00\x00", " \n\t", "\x00.version 8.0"} {
		_, err := d.ModuleLoad([]byte(image))
		require.ErrorIs(t, err, driver.InvalidImage, "%q", image)
		_, err = d.ModuleLoadJIT([]byte(image), 2)
		require.ErrorIs(t, err, driver.InvalidImage, "%q", image)
	}
	_, err := d.ModuleGetFunction(1, "a\x00b")
	require.ErrorIs(t, err, driver.NotFound)
	_, err = d.ModuleGetFunction(1, "")
	require.ErrorIs(t, err, driver.NotFound)
}

func TestNothingAllocatesOnTheWayToLibcuda(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	drivertest.NothingAllocates(t, d, func(f driver.Function, s driver.Stream) error {
		return d.LaunchCluster(f, driver.Dim3{X: 1, Y: 1, Z: 1}, driver.Launch{Stream: s})
	})
}

// What the way through Go and C costs, over a driver that does nothing.
func BenchmarkLaunchKernel(b *testing.B) {
	d := opened(b, drivertest.Stub(b, "-O2"))
	b.ReportAllocs()
	for b.Loop() {
		if err := d.LaunchKernel(1, driver.Launch{}); err != nil {
			b.Fatal(err)
		}
	}
}
