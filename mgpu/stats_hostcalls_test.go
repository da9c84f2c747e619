package mgpu

import (
	"bytes"
	"os"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// hostcall.hsaco has two kernels: "asks" calls the host; "may" only has the buffer for it.
func TestStatisticsNameLaunchedKernelsThatCallTheHost(t *testing.T) {
	image, err := os.ReadFile("../internal/codeobj/testdata/hostcall.hsaco")
	require.NoError(t, err)
	for _, noCache := range []bool{false, true} {
		h, d := mocked(t, 1, Config{Timing: true, NoCache: noCache})
		d.EXPECT().Device().Return(0, nil).AnyTimes()
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x100), nil)
		m := h.ModuleLoad(addressOf(image))
		for i, name := range []string{"asks", "may"} {
			d.EXPECT().ModuleGetFunction(driver.Module(0x100), name).Return(driver.Function(0x200+i), nil)
			d.EXPECT().LaunchKernel(driver.Function(0x200+i), gomock.Any()).Return(nil)
			h.LaunchKernel(&Launch{Function: h.ModuleGetFunction(m, addressOf([]byte(name+"\x00"))), Grid: Dims{1, 1, 1}, Block: Dims{1, 1, 1}})
		}
		parsed := h.hostUses.calling
		require.Len(t, parsed, 2, "of all kernels at once")
		parsed["asks"] = codeobj.HostUseNone
		require.Equal(t, codeobj.HostUseNone, h.hostUses.calls(h.core.Load().modules, driver.Module(0x100), "asks"), "the image is parsed once")
		h.requireSilence(t)
		s := h.Snapshot()
		require.Len(t, s.Kernels, 2)
		for _, k := range s.Kernels {
			assert.Equal(t, k.Name == "asks", k.CallsHost, k.Name)
		}
		var table bytes.Buffer
		require.NoError(t, s.WriteTable(&table))
		assert.Contains(t, table.String(), "\nkernels that call the host (printf, assert or malloc): asks\n")
	}
}

// How CUDA's programs are: their images have no AMDGPU code.
func TestImagesOfOtherGPUsAreParsedOnceForHostCalls(t *testing.T) {
	h, d := mocked(t, 1, Config{})
	d.EXPECT().Device().Return(0, nil).AnyTimes()
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x100), nil)
	h.ModuleLoad(addressOf([]byte("//\n.version 7.0\n.target sm_70\n.address_size 64\n\x00")))
	modules, parsed := h.core.Load().modules, 0
	look := func() {
		usesOf(&h.hostUses, modules, 0x100, &h.hostUses.calling, func(codeobj.Kind, []byte) map[string]codeobj.HostUse { parsed++; return nil })
	}
	require.False(t, h.hostUses.prints(modules, 0x100, "k"))
	require.Equal(t, codeobj.HostUseMaybe, h.hostUses.calls(modules, 0x100, "k"))
	look()
	require.Zero(t, parsed)
	h.hostUses.forget(0x100)
	look()
	look()
	require.Equal(t, 1, parsed)
	h.requireSilence(t)
}
