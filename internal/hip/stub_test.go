package hip_test

import (
	"debug/elf"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/drivertest"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func opened(t *testing.T, library string) *hip.Driver {
	t.Helper()
	d, err := hip.Open(library, nil)
	require.NoError(t, err)
	require.Equal(t, library, d.Library())
	return d
}

func TestALibraryWithoutWhatIsRequiredIsRefusedByName(t *testing.T) {
	if _, err := hip.Open("", nil); err == nil {
		t.Skip("this machine has a HIP device, which would be taken instead")
	}
	for missing, says := range map[string][]string{
		"it has no hipModuleLaunchKernel)": {"-DhipModuleLaunchKernel=absent"},
		"it has no hipMalloc, no hipFree)": {"-DhipMalloc=absent1", "-DhipFree=absent2"},
		"it has no hipStreamCreate, no hipMalloc, no hipFree and 1 more of the ": {"-DhipMalloc=absent1", "-DhipFree=absent2",
			"-DhipStreamCreate=absent3", "-DhipHostRegister=absent4"},
	} {
		path := drivertest.Stub(t, says...)
		_, err := hip.Open(path, nil)
		require.ErrorContains(t, err, "tried "+path+" (not a HIP library: "+missing)
		require.ErrorContains(t, err, ", then libamdhip64.so.7", "the usual names are tried after it")
	}
}

func TestWhatALibraryLacksIsNotSupportedWhereItIsUsed(t *testing.T) {
	path := drivertest.Stub(t, "-DhipMallocManaged=absent1", "-DhipModuleLaunchCooperativeKernel=absent2", "-DhipMemsetD16Async=absent3",
		"-DhipGetLastError=absent4", "-DhipDeviceGetName=absent5", "-DhipRuntimeGetVersion=absent6")
	d := opened(t, path)
	require.Equal(t, "AMD GPU 0", d.DeviceName(0))
	_, managed := d.MemAllocManaged(1)
	for call, err := range map[string]error{
		"hipMallocManaged":                 managed,
		"hipModuleLaunchCooperativeKernel": d.LaunchCooperative(1, driver.Dim3{}, driver.Launch{}),
		"hipMemsetD16Async":                d.Memset16(1, 1, 1, 0),
	} {
		require.ErrorIs(t, err, driver.NotSupported)
		require.EqualError(t, err, "'"+call+"' failed with 'hipErrorNotSupported': "+path+" has no such function")
	}
	_, err := d.MemAlloc(1)
	require.NoError(t, err, "what it has works")
	require.NoError(t, d.Memset32(1, 1, 1, 0))
}

func TestHIPHasNoClustersOfWorkgroups(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	require.NoError(t, d.LaunchCooperative(1, driver.Dim3{}, driver.Launch{}))
	require.ErrorIs(t, d.LaunchCooperative(1, driver.Dim3{X: 2, Y: 1, Z: 1}, driver.Launch{}), driver.NotSupported)
	require.ErrorIs(t, d.LaunchCooperative(1, driver.Dim3{}, driver.Launch{Extra: 8}), driver.NotSupported)
}

func TestFillsOfHostMemoryAreKeptOutOfGraphsThatDoThemEarly(t *testing.T) {
	for version, early := range map[string]bool{
		"0": false, "50221153": false, "50731921": false, "60042134": false, "60342133": false,
		"60400000": true, "60443484": true, "70051831": true, "70199999": true, "70200000": false, "70253211": false,
	} {
		traits := opened(t, drivertest.Stub(t, "-DVERSION="+version)).GraphTraits()
		require.Equal(t, early, traits.KeepsSharedFillsOut, version)
	}
}

func TestALibraryWithoutADeviceDoesNotOpen(t *testing.T) {
	for says, define := range map[string]string{
		"('hipGetDeviceCount' failed with 'hipErrorNoDevice': it counts 0 devices)": "-DDEVICES=0",
		"('hipGetDeviceCount' failed with 'hipErrorNoDevice': ":                     "-DCOUNTING=100",
		"('hipGetDeviceCount' failed with 'HIP error 999': unknown)":                "-DCOUNTING=999",
	} {
		path := drivertest.Stub(t, define)
		_, err := hip.Open(path, nil)
		require.ErrorContains(t, err, "tried "+path+" "+says)
		require.NotContains(t, err.Error(), "then", "a HIP library without a device ends the search")
	}
}

func TestCodeForAnotherChipSaysForWhich(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("..", "codeobj", "testdata", "gfx90a.hsaco"))
	require.NoError(t, err)
	d := opened(t, drivertest.Stub(t, "-DLOADING=209"))
	_, err = d.ModuleLoad(image)
	require.ErrorIs(t, err, driver.WrongArch)
	require.EqualError(t, err, "'hipModuleLoadData' failed with 'hipErrorNoBinaryForGpu': the code object is for gfx90a:sramecc+:xnack-, the device is AMD GPU 0: lower with rocdl-attach-target{chip=...} for this device")
	_, err = d.ModuleLoad(make([]byte, 64))
	require.ErrorContains(t, err, "'hipModuleLoadData' failed with 'hipErrorInvalidImage': not a code object: starts with 00")
}

// HIP 5 says of such code objects what it says of those for another chip.
func TestCodeObjectsOfAVersionToComeAreNotTakenForAnotherChips(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("..", "codeobj", "testdata", "v6.hsaco"))
	require.NoError(t, err)
	for version, says := range map[string]string{
		"50220730": "the code object has version 6, and HIP 5.2 loads versions up to 4: lower with rocdl-attach-target{abi=400}",
		"50731921": "the code object has version 6, and HIP 5.7 loads versions up to 5: lower with rocdl-attach-target{abi=500}",
		"70240000": "for this device",
	} {
		_, err = opened(t, drivertest.Stub(t, "-DLOADING=303", "-DVERSION="+version)).ModuleLoad(image)
		require.ErrorContains(t, err, says)
	}
}

// HIP 5.2 ends the process when it launches a kernel with hidden_completion_action.
func TestKernelsWhoseLaunchCrashesAreNotFound(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("..", "codeobj", "testdata", "llvm19.hsaco"))
	require.NoError(t, err)
	image[elf.EI_ABIVERSION] = 2 // code object version 4
	o, err := codeobj.Parse(image)
	require.NoError(t, err)
	kernels := hip.Crashes(5, 2, o)
	require.NotEmpty(t, kernels)
	harmless, err := os.ReadFile(filepath.Join("..", "codeobj", "testdata", "v4.hsaco"))
	require.NoError(t, err)
	for version, says := range map[string]string{
		"50220730": "'hipModuleGetFunction(" + kernels[0] + ")' failed with 'hipErrorNotSupported': HIP 5.2 crashes when it launches such kernels: " + hip.WhyCrashes,
		"50731921": "",
		"0":        "",
	} {
		d := opened(t, drivertest.Stub(t, "-DVERSION="+version))
		m, err := d.ModuleLoad(image)
		require.NoError(t, err)
		_, err = d.ModuleGetFunction(m, kernels[0])
		if says == "" {
			require.NoError(t, err)
			continue
		}
		require.EqualError(t, err, says)
		_, err = d.ModuleGetFunction(m, "another")
		require.NoError(t, err)
		again, err := d.ModuleLoad(harmless)
		require.NoError(t, err)
		require.Equal(t, m, again, "as after HIP's own hipModuleUnload")
		_, err = d.ModuleGetFunction(m, kernels[0])
		require.NoError(t, err, "the handle is another module's")
		_, err = d.ModuleLoad(image)
		require.NoError(t, err)
		require.NoError(t, d.ModuleUnload(m))
		_, err = d.ModuleGetFunction(m, kernels[0])
		require.NoError(t, err, "the handle may be another module's")
	}
	image[elf.EI_ABIVERSION] = 3
	o, err = codeobj.Parse(image)
	require.NoError(t, err)
	require.Empty(t, hip.Crashes(5, 2, o), "HIP 5.2 does not load it")
}

func TestCodeObjectsOfAnOldVersionAreNamed(t *testing.T) {
	image, err := os.ReadFile(filepath.Join("..", "codeobj", "testdata", "v4.hsaco"))
	require.NoError(t, err)
	image[elf.EI_ABIVERSION] = 1
	_, err = opened(t, drivertest.Stub(t, "-DLOADING=209")).ModuleLoad(image)
	require.ErrorContains(t, err, "code object version 3 (ABI version 1): only 4, 5 and 6 are known")
}

func TestStatusNamesTheCallThatWaited(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	require.NoError(t, d.Status("mgpuStreamSynchronize", 0))
	w, v := d.WaitStream(5), d.WaitEvent(7)
	require.NotZero(t, w.Fn)
	require.NotZero(t, v.Fn)
	require.NotEqual(t, w.Fn, v.Fn)
	require.Equal(t, uintptr(5), w.Arg[1])
	require.Equal(t, uintptr(7), v.Arg[1])
}

func TestArgumentsThatHIPCantTakeAreErrors(t *testing.T) {
	d := opened(t, drivertest.Stub(t))
	require.ErrorIs(t, d.SetDevice(1<<40), driver.InvalidDevice)
	require.ErrorIs(t, d.Memset32(1, 0, 1<<62, 0), driver.InvalidValue)
	require.ErrorIs(t, d.Memset16(1, 0, 1<<63, 0), driver.InvalidValue)
	_, err := d.ModuleLoad([]byte("short"))
	require.ErrorIs(t, err, driver.InvalidImage)
	_, err = d.ModuleGetFunction(1, "a\x00b")
	require.ErrorIs(t, err, driver.NotFound)
}

func TestNothingAllocatesOnTheWayToHIP(t *testing.T) {
	drivertest.NothingAllocates(t, opened(t, drivertest.Stub(t)), nil)
}
