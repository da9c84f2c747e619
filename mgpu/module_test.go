package mgpu

import (
	"fmt"
	"os"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// preparer is a driver that reads images itself.
type preparer struct {
	*MockDriver
	read int
}

func (d *preparer) PrepareModule(image []byte) driver.PreparedModule {
	d.read++
	return driver.PreparedModule{Load: func() (driver.Module, error) { return 0x10, nil }}
}

func TestADriverThatReadsImagesDoesSoOnceForALoad(t *testing.T) {
	image, err := os.ReadFile("../internal/codeobj/testdata/globals.hsaco") // refused if the cache read it
	require.NoError(t, err)
	d := &preparer{MockDriver: NewMockDriver(gomock.NewController(t))}
	d.EXPECT().Name().Return("mock").AnyTimes()
	d.EXPECT().DeviceCount().Return(1).AnyTimes()
	d.EXPECT().DeviceName(gomock.Any()).Return("mocked GPU").AnyTimes()
	for _, test := range []struct {
		cfg  Config
		read int
	}{{Config{}, 1}, {Config{NoCache: true}, 0}} {
		h := over(d, test.cfg)
		d.read = 0
		if test.cfg.NoCache {
			d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
		}
		require.EqualValues(t, 0x10, h.ModuleLoad(addressOf(image)))
		require.Equal(t, test.read, d.read)
		require.EqualValues(t, 1, stat(t, h.Runtime, "mgpuModuleLoad").DriverCalls)
		require.Empty(t, h.Runtime.Snapshot().Refusals)
		h.requireSilence(t)
	}
}

// loaded is a driver that has all modules, or none.
type loaded bool

func (l loaded) ModuleHas(driver.Module, string) bool { return bool(l) }

func TestADeviceThatCannotBeMadeCurrentAgainIsReported(t *testing.T) {
	h, d := mocked(t, 2, Config{})
	gomock.InOrder(
		d.EXPECT().Device().Return(0, nil),
		d.EXPECT().SetDevice(1).Return(nil),
		d.EXPECT().SetDevice(0).Return(boom),
	)
	require.True(t, h.moduleOnDevice(d, loaded(true), 0x100, "k", 1))
	require.Equal(t, "'hipDoIt' failed with 'hipErrorUnknown'", h.lines()[0])
}

// ModuleUnload ends captures except in the relaxed mode, as that of newer HIP does.
func (d *capturing) ModuleUnload(m driver.Module) error {
	if d.mode != driver.CaptureRelaxed {
		d.spoil()
	}
	d.unloads++
	return d.Driver.ModuleUnload(m)
}

func TestALoadThatEvictsModulesEndsNoCapture(t *testing.T) {
	h, d := capturingHost()
	for n := 0; d.unloads == 0; n++ {
		require.Less(t, n, 10000, "nothing is evicted")
		d.on = true
		m := h.ModuleLoad(addressOf(fmt.Appendf(nil, ".version 7.0\n.target sm_70\n// %d\n\x00", n)))
		d.on = false
		h.ModuleUnload(m)
	}
	require.Zero(t, d.spoiled)
	require.Zero(t, d.mode, "the mode is as before")
	h.requireSilence(t)
}
