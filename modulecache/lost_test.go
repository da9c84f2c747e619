package modulecache

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// vendor is a driver whose modules the program may also unload itself. Like HIP, it reuses the handle of the module
// that was unloaded last.
type vendor struct {
	functions map[driver.Module]int // times that the handle was given out; the functions differ each time
	given     map[driver.Module]int
	free      []driver.Module
	loads     int
	asked     []string // names of kernels
}

func newVendor() (*vendor, Config) {
	v := &vendor{functions: map[driver.Module]int{}, given: map[driver.Module]int{}}
	cfg := testConfig()
	cfg.Has = func(m driver.Module, kernel string, _ int) bool {
		v.asked = append(v.asked, kernel)
		return v.functions[m] != 0
	}
	return v, cfg
}

func (v *vendor) ModuleLoad([]byte) (driver.Module, error) {
	v.loads++
	m := driver.Module(0x10 * v.loads)
	if n := len(v.free); n > 0 {
		m, v.free = v.free[n-1], v.free[:n-1]
	}
	v.given[m]++
	v.functions[m] = v.given[m]
	return m, nil
}

func (v *vendor) ModuleLoadPrepared(p driver.PreparedModule) (driver.Module, error) { return p.Load() }

func (v *vendor) ModuleUnload(m driver.Module) error {
	if v.functions[m] == 0 {
		return driver.InvalidHandle
	}
	delete(v.functions, m)
	v.free = append(v.free, m)
	return nil
}

func (v *vendor) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	switch {
	case v.functions[m] == 0:
		return 0, driver.InvalidHandle
	case name != "k":
		return 0, driver.NotFound
	}
	return driver.Function(int(m)<<8 + v.functions[m]), nil
}

// loadsKernel loads the image and checks that the driver knows its kernel.
func (v *vendor) loadsKernel(t *testing.T, c *Cache, addr uintptr) driver.Module {
	t.Helper()
	m, _, err := c.Load(v, 0, addr)
	require.NoError(t, err)
	f, _, err := c.Function(v, m, "k")
	require.NoError(t, err)
	require.EqualValues(t, int(m)<<8+v.functions[m], f, "a function of a module that is gone")
	return m
}

func TestModuleThatTheProgramUnloadedByItselfIsLoadedAgain(t *testing.T) {
	v, cfg := newVendor()
	var lost []driver.Module
	cfg.Lost = func(m driver.Module) bool { lost = append(lost, m); return false }
	c := New(cfg)
	mem := holding(t, image(1, "program"))
	const times = 20
	for range times {
		m := v.loadsKernel(t, c, addressOf(mem))
		require.NoError(t, v.ModuleUnload(m))
	}
	require.Equal(t, times, v.loads)
	require.Len(t, lost, times-1)
	require.Contains(t, v.asked, "k")
	require.Equal(t, 1, c.Stats().Modules, "one copy of the image")

	m := v.loadsKernel(t, c, addressOf(mem)) // unloaded properly: the module is shared from here on
	unload(t, c, v, m, StaysLoaded)
	asked := len(v.asked)
	require.Equal(t, m, load(t, c, v, 0, addressOf(mem), HitVerified))
	require.Len(t, v.asked, asked, "it has no holder, so the driver is not asked")
	unload(t, c, v, m, StaysLoaded)
	_, err := c.evict(v, 0)
	require.NoError(t, err)
	require.Empty(t, v.functions)
	require.Zero(t, c.Stats().Bytes)
}

func TestModuleWhoseFunctionsWereNeverAskedForIsNoticedToo(t *testing.T) {
	v, cfg := newVendor()
	c := New(cfg)
	mem := holding(t, image(1, "program"))
	m := load(t, c, v, 0, addressOf(mem), Miss)
	require.NoError(t, v.ModuleUnload(m))
	v.free = nil // a handle that was not used before
	require.NotEqual(t, m, load(t, c, v, 0, addressOf(mem), Miss))
	o, err := c.Unload(v, m)
	require.Equal(t, WasStale, o.Result, "and reaches no driver")
	require.ErrorContains(t, err, "was unloaded before")
}

func TestOneOfTwoLoadsMayBeUnloadedByTheDriversFunction(t *testing.T) {
	v, cfg := newVendor()
	c := New(cfg)
	mem := holding(t, image(1, "program"))
	a, b := v.loadsKernel(t, c, addressOf(mem)), v.loadsKernel(t, c, addressOf(mem))
	require.NoError(t, v.ModuleUnload(a))
	f, _, err := c.Function(v, b, "k")
	require.NoError(t, err)
	require.EqualValues(t, int(b)<<8+v.functions[b], f)
	unload(t, c, v, b, StaysLoaded)
	require.Equal(t, b, v.loadsKernel(t, c, addressOf(mem)))
	require.Equal(t, 2, v.loads)
}

func TestAModuleThatBothLibrariesUnloadIsNotGivenOutAgain(t *testing.T) {
	v, cfg := newVendor()
	c := New(cfg)
	mem := holding(t, image(1, "program"))
	for range 3 {
		m := v.loadsKernel(t, c, addressOf(mem))
		require.NoError(t, v.ModuleUnload(m))
		o, err := c.Unload(v, m)
		require.Equal(t, WasStale, o.Result)
		require.ErrorContains(t, err, "was unloaded before")
	}
	require.Equal(t, 3, v.loads)
	for range 3 {
		unload(t, c, v, v.loadsKernel(t, c, addressOf(mem)), StaysLoaded)
	}
	require.Equal(t, 4, v.loads)
}

func TestUnsharedModulesForgetFunctionsOfTheHandleBefore(t *testing.T) {
	v, cfg := newVendor()
	c := New(cfg)
	mem := holding(t, image(1, "unique program"))
	for range 5 {
		require.NoError(t, v.ModuleUnload(v.loadsKernel(t, c, addressOf(mem))))
	}
	require.Equal(t, 5, v.loads)
}

func TestImagesOfModulesUnloadedByTheProgramLeaveTheCache(t *testing.T) {
	v, cfg := newVendor()
	cfg.Bytes = 4096
	c := New(cfg)
	mem := region(t, 4096)
	for i := range 500 {
		copy(mem, image(1, fmt.Sprintf("program %0100d", i)))
		require.NoError(t, v.ModuleUnload(v.loadsKernel(t, c, addressOf(mem))))
	}
	require.Less(t, c.Stats().Bytes, int64(8192))
}

func TestImageStaysWhileAThreadComparesWithIt(t *testing.T) {
	v, cfg := newVendor()
	cfg.Lost = func(driver.Module) bool { return true }
	c := New(cfg)
	mem := holding(t, image(1, "program"))
	m := v.loadsKernel(t, c, addressOf(mem))
	l := c.modules.Find(uintptr(m))
	require.NoError(t, v.ModuleUnload(m))
	require.NoError(t, v.ModuleUnload(v.loadsKernel(t, c, addressOf(mem))))
	c.lose(v, c.modules.Find(uintptr(m)))
	_, err := c.evict(v, 0)
	require.NoError(t, err)
	require.Zero(t, c.Stats().Modules)
	require.Equal(t, image(1, "program"), l.of.image, "it is still mapped")
}
