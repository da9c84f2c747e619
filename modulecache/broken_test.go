package modulecache

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"syscall"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A panic in the driver is caught above the cache. The content must not stay half loaded, or the next load of it would
// wait for ever.
func TestLoadThatPanicsLeavesNothingBehind(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	c := New(testConfig())
	mem := region(t, 4096)
	copy(mem, image(1, "x"))
	loading, waiting := make(chan struct{}), make(chan struct{})
	gomock.InOrder(
		d.EXPECT().ModuleLoad(gomock.Any()).DoAndReturn(func([]byte) (driver.Module, error) {
			close(loading)
			<-waiting
			panic("broken driver")
		}),
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil),
	)
	second := make(chan error)
	go func() {
		<-loading
		go close(waiting)
		_, _, err := c.Load(d, 0, addressOf(mem))
		second <- err
	}()
	require.PanicsWithValue(t, "broken driver", func() { _, _, _ = c.Load(d, 0, addressOf(mem)) })
	if err := <-second; err != nil {
		require.ErrorIs(t, err, driver.InvalidImage)
		require.Zero(t, c.Stats().Bytes)
		load(t, c, d, 0, addressOf(mem), Miss)
	}
	require.Equal(t, 1, c.Stats().Modules)
}

func TestEachLoadHasItsOwnReport(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	c := New(testConfig())
	mem := region(t, 4096)
	copy(mem, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(1)
	want := Miss
	for range 3 {
		m := load(t, c, d, 0, addressOf(mem), want)
		want = HitVerified
		unload(t, c, d, m, StaysLoaded)
		_, err := c.Unload(d, m)
		require.ErrorContains(t, err, "unloaded before")
		_, err = c.Unload(d, m)
		require.NoError(t, err)
	}
}

func TestTooManyUnloadsAreReportedOnceAndHarmless(t *testing.T) {
	d, c := mocked(t)
	mem := holding(t, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(1)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	unload(t, c, d, m, StaysLoaded)
	o, err := c.Unload(d, m)
	require.Equal(t, WasStale, o.Result)
	require.ErrorIs(t, err, driver.InvalidHandle)
	require.ErrorContains(t, err, "module 0x10 was unloaded before")
	unload(t, c, d, m, WasStale)
	_, o, err = c.Function(d, m, "k")
	require.Equal(t, WasStale, o.Result)
	require.NoError(t, err, "this handle was reported")
	load(t, c, d, 0, addressOf(mem), HitVerified)
	unload(t, c, d, m, StaysLoaded)
}

func TestForeignModulesPassUntouched(t *testing.T) {
	d, c := mocked(t)
	bad := &driver.Error{Call: "hipModuleUnload", Name: "hipErrorInvalidResourceHandle", Code: driver.InvalidHandle}
	d.EXPECT().ModuleUnload(driver.Module(0)).Return(bad)
	d.EXPECT().ModuleGetFunction(driver.Module(0x5), "k").Return(driver.Function(9), nil).Times(2)
	o, err := c.Unload(d, 0)
	require.Equal(t, PassedOn, o.Result)
	require.Equal(t, error(bad), err)
	for range 2 {
		f, o, err := c.Function(d, 5, "k")
		require.NoError(t, err)
		require.Equal(t, PassedOn, o.Result)
		require.EqualValues(t, 9, f)
	}
}

func TestGarbageImagesAreErrorsThatNameTheAddress(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t)) // which must not be called
	c := New(testConfig())
	mem := region(t, 8192)
	require.NoError(t, syscall.Mprotect(mem[4096:], syscall.PROT_NONE))
	long := image(1, string(make([]byte, 1000)))
	copy(mem[4096-500:], long[:500])
	huge := mem[:8]
	copy(huge, image(1, ""))
	binary.LittleEndian.PutUint32(huge[4:], math.MaxUint32)
	empty := mem[64:72]
	copy(empty, image(1, ""))
	binary.LittleEndian.PutUint32(empty[4:], 0)
	for name, at := range map[string]uintptr{
		"null":          0,
		"first page":    8,
		"unmapped":      addressOf(mem) + 4096,
		"kernel half":   0xffff_8000_0000_0000,
		"last byte":     ^uintptr(0),
		"truncated":     addressOf(mem) + 4096 - 500,
		"head cut off":  addressOf(mem) + 4096 - 3,
		"not an image":  addressOf(mem) + 1024,
		"huge length":   addressOf(huge),
		"length zero":   addressOf(empty),
		"not canonical": 0x00ff_0000_0000_0000,
	} {
		m, o, err := c.Load(d, 0, at)
		require.ErrorIs(t, err, driver.InvalidImage, name)
		require.ErrorContains(t, err, fmt.Sprintf("%#x", at), name)
		require.Equal(t, Failed, o.Result)
		require.Zero(t, m)
	}
	require.Zero(t, c.Stats().Modules)
}

func TestImageThatBecomesUnreadableIsAnErrorNotAHit(t *testing.T) {
	d, c := mocked(t)
	mem := holding(t, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	load(t, c, d, 0, addressOf(mem), Miss)
	require.NoError(t, syscall.Mprotect(mem, syscall.PROT_NONE))
	_, _, err := c.Load(d, 0, addressOf(mem))
	require.ErrorIs(t, err, driver.InvalidImage)
}

func TestFailedLoadIsNotRemembered(t *testing.T) {
	d, c := mocked(t)
	mem := holding(t, image(1, "x"))
	bad := &driver.Error{Call: "hipModuleLoadData", Name: "hipErrorNoBinaryForGpu", Code: driver.WrongArch}
	gomock.InOrder(
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0), bad),
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil),
	)
	_, _, err := c.Load(d, 0, addressOf(mem))
	require.Equal(t, error(bad), err)
	require.Zero(t, c.Stats().Bytes)
	load(t, c, d, 0, addressOf(mem), Miss)
}

func TestFailedUnloadKeepsTheImageInPlace(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 4096)
	img := image(1, "x")
	copy(mem, img)
	var given []byte
	d.EXPECT().ModuleLoad(gomock.Any()).DoAndReturn(func(b []byte) (driver.Module, error) { given = b; return 0x10, nil })
	unload(t, c, d, load(t, c, d, 0, addressOf(mem), Miss), StaysLoaded)
	d.EXPECT().ModuleUnload(driver.Module(0x10)).Return(errors.New("capturing"))
	n, err := c.evict(d, 0)
	require.EqualError(t, err, "capturing")
	require.Equal(t, 1, n)
	runtime.GC()
	require.Equal(t, img, given)
}
