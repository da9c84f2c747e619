package modulecache

import (
	"fmt"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestUnusedModulesLeaveTheLeastRecentlyUsedFirst(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	cfg.Bytes = 3 * 1008
	c := New(cfg)
	mem := region(t, 64<<10)
	var addr [4]uintptr
	var m [4]driver.Module
	for i := range addr {
		copy(mem[i*4096:], image(1, fmt.Sprintf("%01000d", i)))
		addr[i] = addressOf(mem[i*4096:])
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10*(i+1)), nil)
		m[i] = load(t, c, d, 0, addr[i], Miss)
	}
	c.cfg.Bytes = 4 * 1008
	unload(t, c, d, m[0], StaysLoaded)
	load(t, c, d, 0, addr[0], HitVerified) // the order is 1 2 3 0 now
	unload(t, c, d, m[3], StaysLoaded)
	unload(t, c, d, m[2], StaysLoaded)
	unload(t, c, d, m[1], StaysLoaded)
	c.cfg.Bytes = 3 * 1008
	d.EXPECT().ModuleUnload(m[1]).Return(nil)
	unload(t, c, d, m[0], Evicted)
	require.Equal(t, int64(3*1008), c.Stats().Bytes)

	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x90), nil)
	again := load(t, c, d, 0, addr[1], Miss)
	require.EqualValues(t, 0x90, again)

	gomock.InOrder(
		d.EXPECT().ModuleUnload(m[2]).Return(nil),
		d.EXPECT().ModuleUnload(m[3]).Return(nil),
		d.EXPECT().ModuleUnload(m[0]).Return(nil),
	)
	n, err := c.evict(d, 0)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, 1, c.Stats().Modules, "what is referenced stays")
}

// Images of a few bytes would be kept by the million.
func TestUnusedModulesAreBoundedInNumber(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	cfg.Modules = 8
	c := New(cfg)
	mem := region(t, 1<<20)
	loaded, unloaded := 0, []driver.Module{}
	d.EXPECT().ModuleLoad(gomock.Any()).DoAndReturn(func([]byte) (driver.Module, error) {
		loaded++
		return driver.Module(0x10 * loaded), nil
	}).AnyTimes()
	d.EXPECT().ModuleUnload(gomock.Any()).DoAndReturn(func(m driver.Module) error {
		unloaded = append(unloaded, m)
		return nil
	}).AnyTimes()
	next := func() driver.Module {
		at := mem[loaded*4096:]
		copy(at, image(1, fmt.Sprint(loaded)))
		m, _, err := c.Load(d, 0, addressOf(at))
		require.NoError(t, err)
		return m
	}
	var held []driver.Module
	for range 20 {
		held = append(held, next())
	}
	require.Empty(t, unloaded, "what is referenced stays")
	for range 60 {
		_, err := c.Unload(d, next())
		require.NoError(t, err)
		require.LessOrEqual(t, c.Stats().Modules, 20+8+2, "a few more before they are looked at")
	}
	require.Equal(t, driver.Module(0x10*21), unloaded[0], "the least recently used first")
	for _, m := range held {
		require.NotContains(t, unloaded, m)
	}
}

func TestNegativeLimitKeepsNothing(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	cfg.Bytes = -1
	c := New(cfg)
	mem := holding(t, image(1, "x"))
	for i := range 3 {
		gomock.InOrder(
			d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil),
			d.EXPECT().ModuleUnload(driver.Module(0x10)).Return(nil),
		)
		m := load(t, c, d, 0, addressOf(mem), Miss)
		unload(t, c, d, m, Evicted)
		require.Zero(t, c.Stats().Bytes, i)
	}
}

func TestAddressesPerModuleAreBounded(t *testing.T) {
	d, c := mocked(t)
	img := image(1, "x")
	mem := region(t, 64<<10)
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(1)
	for i := range 200 {
		copy(mem[i*64:], img)
		m, _, err := c.Load(d, 0, addressOf(mem[i*64:]))
		require.NoError(t, err)
		unload(t, c, d, m, StaysLoaded)
	}
	require.LessOrEqual(t, c.sites.Len(), 16)
}

func TestImagesThatAreNotSharedAreBoundedToo(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	cfg.Bytes = 2000
	c := New(cfg)
	mem := region(t, 4096)
	for i := range 20 {
		copy(mem, image(1, fmt.Sprintf("unique %0993d", i)))
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10*(i+1)), nil)
		m, _, err := c.Load(d, 0, addressOf(mem))
		require.NoError(t, err)
		d.EXPECT().ModuleUnload(m).Return(nil)
		unload(t, c, d, m, Refused)
	}
	require.LessOrEqual(t, c.Stats().Bytes, int64(2000))
}
