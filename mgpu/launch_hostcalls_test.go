package mgpu

import (
	"os"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// hostcalling makes a Runtime over a mock with hostcall.hsaco loaded, whose kernels are "asks"
// and "may".
func hostcalling(t *testing.T, cfg Config) (h *host, d *MockDriver, asks, may uintptr) {
	image, err := os.ReadFile("../internal/codeobj/testdata/hostcall.hsaco")
	require.NoError(t, err)
	h, d = mocked(t, 1, cfg)
	d.EXPECT().Device().Return(0, nil).AnyTimes()
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x100), nil).AnyTimes()
	d.EXPECT().ModuleUnload(gomock.Any()).Return(nil).AnyTimes()
	d.EXPECT().ModuleGetFunction(driver.Module(0x100), "asks").Return(driver.Function(0x200), nil).AnyTimes()
	d.EXPECT().ModuleGetFunction(driver.Module(0x100), "may").Return(driver.Function(0x300), nil).AnyTimes()
	m := h.ModuleLoad(addressOf(image))
	require.Equal(t, uintptr(0x100), m)
	return h, d, h.ModuleGetFunction(m, addressOf([]byte("asks\x00"))), h.ModuleGetFunction(m, addressOf([]byte("may\x00")))
}

func launchOnce(h *host, function uintptr) {
	h.LaunchKernel(&Launch{Function: function, Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}})
}

func TestKernelsThatCallTheHostAreReportedOnce(t *testing.T) {
	for _, noCache := range []bool{false, true} {
		h, d, asks, may := hostcalling(t, Config{Hostcalls: HostcallsWarn, NoCache: noCache})
		d.EXPECT().LaunchKernel(driver.Function(0x200), gomock.Any()).Return(nil).Times(2)
		d.EXPECT().LaunchKernel(driver.Function(0x300), gomock.Any()).Return(nil)
		h.requireSilence(t)
		launchOnce(h, may)
		h.requireSilence(t)
		launchOnce(h, asks)
		assert.Equal(t, []string{"mgpu: kernel asks calls the host (printf, assert or malloc)"}, h.lines())
		launchOnce(h, asks)
		h.requireSilence(t)
	}
}

func TestKernelsThatCallTheHostAreRefused(t *testing.T) {
	aborted := 0
	h, d, asks, may := hostcalling(t, Config{Hostcalls: HostcallsError, Abort: func() { aborted++ }})
	d.EXPECT().LaunchKernel(driver.Function(0x300), gomock.Any()).Return(nil)
	launchOnce(h, asks)
	assert.Equal(t, []string{"'mgpuLaunchKernel(asks)' failed with 'not supported': kernel asks calls the host (printf, assert or malloc), " +
		"which MGPU_HOSTCALLS=error forbids; it is not launched"}, h.lines())
	assert.Equal(t, 1, aborted)
	launchOnce(h, asks)
	launchOnce(h, may)
	h.requireSilence(t)
}

func TestNobodyAsksByDefault(t *testing.T) {
	h, d, asks, _ := hostcalling(t, Config{})
	d.EXPECT().LaunchKernel(driver.Function(0x200), gomock.Any()).Return(nil)
	launchOnce(h, asks)
	h.requireSilence(t)
}

func TestAHandleThatComesBackIsAnotherKernels(t *testing.T) {
	h, d, _, _ := hostcalling(t, Config{Hostcalls: HostcallsError})
	d.EXPECT().LaunchKernel(driver.Function(0x200), gomock.Any()).Return(nil)
	h.noteHostcalls(h.core.Load(), driver.Module(0x100), 0x200, "may")
	launchOnce(h, 0x200)
	h.requireSilence(t)
	for fn := range driver.Function(2 * maxKernels) {
		h.noteHostcalls(h.core.Load(), driver.Module(0x100), fn<<8, "asks")
	}
	n := 0
	h.hostCallers.names.Range(func(any, any) bool { n++; return true })
	assert.LessOrEqual(t, n, maxKernels)
}

func TestWhatHostcallsMayBe(t *testing.T) {
	for text, want := range map[string]Hostcalls{"": HostcallsOff, "off": HostcallsOff, "warn": HostcallsWarn, "error": HostcallsError} {
		got, err := ParseHostcalls(text)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	_, err := ParseHostcalls("Error")
	require.ErrorContains(t, err, "MGPU_HOSTCALLS=Error: it is off, warn or error")
}
