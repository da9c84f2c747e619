package modulecache

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// preparing is a configuration over a driver that prepares images. read are those it has read.
func preparing(t *testing.T) (c *Cache, d *MockDriver, read *[]string) {
	d = NewMockDriver(gomock.NewController(t))
	d.EXPECT().ModuleLoadPrepared(gomock.Any()).DoAndReturn(func(p driver.PreparedModule) (driver.Module, error) { return p.Load() }).AnyTimes()
	cfg := testConfig()
	traits := cfg.Traits
	cfg.Traits = func(codeobj.Kind, []byte) codeobj.Traits { panic("the driver says so") }
	read = new([]string)
	cfg.Prepare = func(image []byte) driver.PreparedModule {
		*read = append(*read, string(image))
		loads := 0
		of := traits(codeobj.KindHSACO, image)
		return driver.PreparedModule{Unshareable: of.Unshareable, Silent: of.Silent, Load: func() (driver.Module, error) {
			if loads++; loads > 1 {
				return 0, driver.InvalidImage
			}
			return driver.Module(0x10 * len(*read)), nil
		}}
	}
	return New(cfg), d, read
}

func TestAnImageThatTheDriverPreparesIsReadOnceForItsFirstLoad(t *testing.T) {
	c, d, read := preparing(t)
	mem := region(t, 4096)
	copy(mem, image(1, "program"))
	m := load(t, c, d, 0, addressOf(mem), Miss)
	require.EqualValues(t, 0x10, m)
	unload(t, c, d, m, StaysLoaded)
	load(t, c, d, 0, addressOf(mem), HitVerified)

	only := image(1, "unique")
	copy(mem, only)
	require.EqualValues(t, 0x20, load(t, c, d, 0, addressOf(mem), Refused), "loaded as it was prepared")
	d.EXPECT().ModuleLoad(only).Return(driver.Module(0x30), nil)
	require.EqualValues(t, 0x30, load(t, c, d, 0, addressOf(mem), Refused), "a prepared image is loaded once")
	require.Len(t, *read, 2)
}

func TestTextIsCompiledAndNotPrepared(t *testing.T) {
	cfg := testConfig()
	cfg.Prepare = func([]byte) driver.PreparedModule { panic("text") }
	c, d := New(cfg), NewMockJITDriver(gomock.NewController(t))
	mem := region(t, 4096)
	copy(mem, image(1, "text"))
	d.EXPECT().ModuleLoadJIT(gomock.Any(), 2).Return(driver.Module(0x10), nil)
	_, o, err := c.LoadJIT(d, 0, addressOf(mem), 2)
	require.NoError(t, err)
	require.Equal(t, Miss, o.Result)
}
