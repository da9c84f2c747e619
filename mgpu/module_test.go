package mgpu

import (
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
