package modulecache

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestAModuleIsLoadedOnEachDeviceThatAsksForAFunction(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 4096)
	img := image(1, "program")
	copy(mem, img)
	d.EXPECT().ModuleLoad(img).Return(driver.Module(0x10), nil)
	d.EXPECT().ModuleLoad(img).Return(driver.Module(0x20), nil)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	clear(mem) // the cache does not need the program's bytes any more
	for range 2 {
		there, err := c.On(d, nil, 1, m)
		require.NoError(t, err)
		require.EqualValues(t, 0x20, there)
		here, err := c.On(d, nil, 0, m)
		require.NoError(t, err)
		require.Equal(t, m, here)
	}
	unload(t, c, d, m, StaysLoaded)
	d.EXPECT().ModuleUnload(driver.Module(0x10)).Return(nil)
	d.EXPECT().ModuleUnload(driver.Module(0x20)).Return(nil)
	n, err := c.evict(d, 0)
	require.NoError(t, err)
	require.Equal(t, 2, n, "unload gives the references of all devices back")
}

func TestAModuleWithStateOfItsOwnStaysOnItsDevice(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 4096)
	img := image(1, "unique program")
	copy(mem, img)
	d.EXPECT().ModuleLoad(img).Return(driver.Module(0x10), nil)
	m, _, err := c.Load(d, 0, addressOf(mem))
	require.NoError(t, err)
	_, err = c.On(d, nil, 1, m)
	require.ErrorIs(t, err, driver.InvalidDevice)
	require.ErrorContains(t, err, "the module is loaded on device 0 and can't be loaded on device 1 too: it has a mutable global, counter")
}
