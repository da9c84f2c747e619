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

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// The tests' images: "IMG" and a kind, four bytes of length, a body. A body
// that starts with "unique" must not be shared.
func image(kind codeobj.Kind, body string) []byte {
	b := append([]byte("IMG"), byte(kind), 0, 0, 0, 0)
	binary.LittleEndian.PutUint32(b[4:], uint32(8+len(body)))
	return append(b, body...)
}

func testConfig() Config {
	return Config{
		Extent: func(read func([]byte, uint64) error) (codeobj.Kind, uint64, error) {
			var head [8]byte
			if err := read(head[:], 0); err != nil {
				return 0, 0, err
			}
			if string(head[:3]) != "IMG" {
				return 0, 0, errors.New("not an image of the tests")
			}
			return codeobj.Kind(head[3]), uint64(binary.LittleEndian.Uint32(head[4:])), nil
		},
		Unshareable: func(_ codeobj.Kind, image []byte) string {
			if len(image) >= 14 && string(image[8:14]) == "unique" {
				return "it has a mutable global, counter"
			}
			return ""
		},
	}
}

// mocked is a cache of the tests' images, and the driver for it.
func mocked(t *testing.T) (*MockDriver, *Cache) {
	return NewMockDriver(gomock.NewController(t)), New(testConfig())
}

// region is memory outside the Go heap at a fixed address.
func region(t testing.TB, size int) []byte {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return b
}

// holding is a region that begins with an image.
func holding(t testing.TB, image []byte) []byte {
	mem := region(t, 4096)
	copy(mem, image)
	return mem
}

func load(t *testing.T, c *Cache, d Driver, device int, addr uintptr, want Result) driver.Module {
	t.Helper()
	m, o, err := c.Load(d, device, addr, 7)
	require.NoError(t, err)
	require.Equal(t, want.String(), o.Result.String())
	return m
}

func unload(t *testing.T, c *Cache, d Driver, m driver.Module, want Result) {
	t.Helper()
	o, err := c.Unload(d, m)
	require.NoError(t, err)
	require.Equal(t, want.String(), o.Result.String())
}

func TestOneLoadServesAThousand(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	img := image(1, "empty kernel")
	d.EXPECT().ModuleLoad(img).Return(driver.Module(0x10), nil).Times(1)
	c := New(testConfig())
	mem := region(t, 4096)
	copy(mem, img)
	for i := range 1000 {
		want := HitVerified
		if i == 0 {
			want = Miss
		}
		m := load(t, c, d, 0, addressOf(mem), want)
		unload(t, c, d, m, Kept)
	}
}

func TestOtherBytesAtOneAddressAreAnotherModule(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 4096)
	one, two := image(1, "first program"), image(1, "other program")
	d.EXPECT().ModuleLoad(one).Return(driver.Module(0x10), nil)
	d.EXPECT().ModuleLoad(two).Return(driver.Module(0x20), nil)
	copy(mem, one)
	require.EqualValues(t, 0x10, load(t, c, d, 0, addressOf(mem), Miss))
	copy(mem, two)
	require.EqualValues(t, 0x20, load(t, c, d, 0, addressOf(mem), Miss))
	copy(mem, one)
	require.EqualValues(t, 0x10, load(t, c, d, 0, addressOf(mem), HitContent))
	mem[len(one)-1] ^= 1
	three := append([]byte(nil), mem[:len(one)]...)
	d.EXPECT().ModuleLoad(three).Return(driver.Module(0x30), nil)
	require.EqualValues(t, 0x30, load(t, c, d, 0, addressOf(mem), Miss), "one bit makes another module")
}

func TestOneContentAtTwoAddressesIsOneModule(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 8192)
	img := image(1, "program")
	d.EXPECT().ModuleLoad(img).Return(driver.Module(0x10), nil).Times(1)
	copy(mem[1:], img) // unaligned, as old compilers place images
	copy(mem[5003:], img)
	a := load(t, c, d, 0, addressOf(mem[1:]), Miss)
	b := load(t, c, d, 0, addressOf(mem[5003:]), HitContent)
	require.Equal(t, a, b)
	load(t, c, d, 0, addressOf(mem[5003:]), HitVerified)
}

func TestDevicesKindsAndLevelsAreApart(t *testing.T) {
	d := NewMockJITDriver(gomock.NewController(t))
	c := New(testConfig())
	mem := region(t, 8192)
	img := image(1, "program")
	copy(mem, img)
	gomock.InOrder(
		d.EXPECT().ModuleLoad(img).Return(driver.Module(0x10), nil),
		d.EXPECT().ModuleLoad(img).Return(driver.Module(0x20), nil),
		d.EXPECT().ModuleLoadJIT(img, 2).Return(driver.Module(0x30), nil),
		d.EXPECT().ModuleLoadJIT(img, 3).Return(driver.Module(0x40), nil),
	)
	addr := addressOf(mem)
	load(t, c, d, 0, addr, Miss)
	load(t, c, d, 1, addr, Miss)
	for opt := 2; opt <= 3; opt++ {
		_, o, err := c.LoadJIT(d, 0, addr, 7, opt)
		require.NoError(t, err)
		require.Equal(t, Miss, o.Result)
	}
	m, o, err := c.LoadJIT(d, 0, addr, 7, 2)
	require.NoError(t, err)
	require.Equal(t, HitContent, o.Result)
	require.EqualValues(t, 0x30, m)
	require.EqualValues(t, 0x20, load(t, c, d, 1, addr, HitVerified))
	require.EqualValues(t, 0x10, load(t, c, d, 0, addr, HitContent))
}

func TestStableImageIsNotReadAgainWithinAGeneration(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	asked, reads := 0, 0
	cfg.Stable = func(addr, n uintptr) bool { asked++; return n == 15 }
	mem := region(t, 4096)
	cfg.Read = func(dst []byte, addr uintptr) error {
		reads++
		copy(dst, mem[addr-addressOf(mem):])
		return nil
	}
	c := New(cfg)
	copy(mem, image(1, "program"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(1)
	load(t, c, d, 0, addressOf(mem), Miss)
	before := reads
	for range 10 {
		load(t, c, d, 0, addressOf(mem), HitStable)
	}
	require.Equal(t, before, reads)
	require.Equal(t, 1, asked)
	require.EqualValues(t, 10, c.Stats().Stable)

	m, o, err := c.Load(d, 0, addressOf(mem), 8) // an object was unloaded
	require.NoError(t, err)
	require.EqualValues(t, 0x10, m)
	require.Equal(t, HitVerified, o.Result)
	require.Equal(t, 2, asked)
	_, o, _ = c.Load(d, 0, addressOf(mem), 8)
	require.Equal(t, HitStable, o.Result)

	copy(mem, image(1, "another")) // and another object lies there now
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x20), nil)
	m, o, err = c.Load(d, 0, addressOf(mem), 9)
	require.NoError(t, err)
	require.EqualValues(t, 0x20, m)
	require.Equal(t, Miss, o.Result)
}

func TestDriverGetsACopyThatStaysAndEndsWithZero(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 8192)
	page := image(1, string(make([]byte, 4096-8)))
	copy(mem, page)
	var given []byte
	d.EXPECT().ModuleLoad(gomock.Any()).DoAndReturn(func(b []byte) (driver.Module, error) { given = b; return 0x10, nil })
	load(t, c, d, 0, addressOf(mem), Miss)
	require.NotEqual(t, addressOf(mem), addressOf(given))
	clear(mem)
	require.Equal(t, page, given)
	require.Zero(t, given[:len(given)+1][len(given)], "text must end behind the image")
}

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
	load(t, c, d, 0, addr[0], HitVerified) // the order is 1 2 3 0 now; 0 has two references
	unload(t, c, d, m[3], Kept)
	unload(t, c, d, m[2], Kept)
	unload(t, c, d, m[1], Kept)
	unload(t, c, d, m[0], Kept)
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
	n, err := c.Trim(d, 0)
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, 1, c.Stats().Modules, "what is referenced stays")
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

func TestQuietCacheUnloadsNothing(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	cfg.Bytes = -1
	c := New(cfg)
	c.SetQuiet(true)
	mem := holding(t, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	unload(t, c, d, load(t, c, d, 0, addressOf(mem), Miss), Kept)
}

func TestContentThatMustNotBeSharedIsLoadedAndUnloadedEachTime(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 4096)
	img := image(1, "unique program")
	copy(mem, img)
	for i := range 5 {
		m := driver.Module(0x10 * (i + 1))
		gomock.InOrder(
			d.EXPECT().ModuleLoad(img).Return(m, nil),
			d.EXPECT().ModuleGetFunction(m, "k").Return(driver.Function(0x1000+i), nil),
			d.EXPECT().ModuleUnload(m).Return(nil),
		)
		got, o, err := c.Load(d, 0, addressOf(mem), 7)
		require.NoError(t, err)
		require.Equal(t, Outcome{Refused, "it has a mutable global, counter"}, o)
		require.Equal(t, m, got)
		require.Equal(t, "it has a mutable global, counter", c.Refusal(m))
		f, _, err := c.Function(d, m, "k")
		require.NoError(t, err)
		require.EqualValues(t, 0x1000+i, f)
		unload(t, c, d, m, Refused)
	}
	s := c.Stats()
	require.EqualValues(t, 5, s.Refused)
	require.Equal(t, map[string]int{"it has a mutable global, counter": 5}, s.Reasons)
	o, err := c.Unload(d, 0x50)
	require.Equal(t, WasStale, o.Result)
	require.ErrorIs(t, err, driver.InvalidHandle)
	n, err := c.Trim(d, 0)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Zero(t, c.Stats().Bytes)
}

func TestTooManyUnloadsAreReportedOnceAndHarmless(t *testing.T) {
	d, c := mocked(t)
	mem := holding(t, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(1)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	load(t, c, d, 0, addressOf(mem), HitVerified)
	unload(t, c, d, m, Kept)
	unload(t, c, d, m, Kept)
	o, err := c.Unload(d, m)
	require.Equal(t, WasStale, o.Result)
	require.ErrorIs(t, err, driver.InvalidHandle)
	require.ErrorContains(t, err, "module 0x10 was unloaded before")
	unload(t, c, d, m, WasStale)
	_, o, err = c.Function(d, m, "k")
	require.Equal(t, WasStale, o.Result)
	require.NoError(t, err, "this handle was reported")
	load(t, c, d, 0, addressOf(mem), HitVerified)
	unload(t, c, d, m, Kept)
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
		m, o, err := c.Load(d, 0, at, 1)
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
	_, _, err := c.Load(d, 0, addressOf(mem), 7)
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
	_, _, err := c.Load(d, 0, addressOf(mem), 7)
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
	unload(t, c, d, load(t, c, d, 0, addressOf(mem), Miss), Kept)
	d.EXPECT().ModuleUnload(driver.Module(0x10)).Return(errors.New("capturing"))
	n, err := c.Trim(d, 0)
	require.EqualError(t, err, "capturing")
	require.Equal(t, 1, n)
	runtime.GC()
	require.Equal(t, img, given)
}

func TestEqualHashesAreNotEqualContents(t *testing.T) {
	d, c := mocked(t)
	c.sum = func([]byte) [16]byte { return [16]byte{} }
	mem := region(t, 8192)
	var m [3]driver.Module
	for i := range m {
		copy(mem[i*1024:], image(1, fmt.Sprint("program", i)))
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10*(i+1)), nil)
		m[i] = load(t, c, d, 0, addressOf(mem[i*1024:]), Miss)
	}
	unload(t, c, d, m[1], Kept)
	d.EXPECT().ModuleUnload(m[1])
	_, err := c.Trim(d, 0)
	require.NoError(t, err)
	for _, i := range []int{0, 2} { // around the one that left the chain
		copy(mem[4096:], image(1, fmt.Sprint("program", i)))
		require.Equal(t, m[i], load(t, c, d, 0, addressOf(mem[4096:]), HitContent))
	}
}

func TestHandleThatTheDriverGivesAgainIsANewModule(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 8192)
	copy(mem, image(1, "one"))
	copy(mem[4096:], image(1, "two"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(3)
	load(t, c, d, 0, addressOf(mem), Miss)
	load(t, c, d, 0, addressOf(mem[4096:]), Miss) // 0x10 was unloaded by the vendor's own function
	require.Equal(t, 1, c.Stats().Modules)
	load(t, c, d, 0, addressOf(mem), Miss)
}

func TestAddressesPerModuleAreBounded(t *testing.T) {
	d, c := mocked(t)
	img := image(1, "x")
	mem := region(t, 64<<10)
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(1)
	for i := range 200 {
		copy(mem[i*64:], img)
		_, _, err := c.Load(d, 0, addressOf(mem[i*64:]), 7)
		require.NoError(t, err)
	}
	require.LessOrEqual(t, c.sites.Len(), 16)
}

func TestFunctionsAreFoundByNameText(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 8192)
	copy(mem, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	name := []byte("kernel_000")
	for round := range 2 {
		for i := range 100 {
			copy(name[7:], fmt.Sprintf("%03d", i))
			want := Hit
			if round == 0 {
				want = Miss
				d.EXPECT().ModuleGetFunction(m, string(name)).Return(driver.Function(0x1000+i), nil).Times(1)
			}
			f, o, err := c.Function(d, m, viewOf(name)) // the same memory, another text
			require.NoError(t, err)
			require.Equal(t, want, o.Result)
			require.EqualValues(t, 0x1000+i, f)
		}
	}
	missing := &driver.Error{Call: "hipModuleGetFunction(nope)", Name: "hipErrorNotFound", Code: driver.NotFound}
	d.EXPECT().ModuleGetFunction(m, "nope").Return(driver.Function(0), missing).Times(2)
	for range 2 {
		_, o, err := c.Function(d, m, "nope")
		require.ErrorIs(t, err, driver.NotFound)
		require.Equal(t, Failed, o.Result)
	}
	require.EqualValues(t, 100, c.Stats().Functions)
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
		m, _, err := c.Load(d, 0, addressOf(mem), 1)
		require.NoError(t, err)
		d.EXPECT().ModuleUnload(m).Return(nil)
		unload(t, c, d, m, Refused)
	}
	require.LessOrEqual(t, c.Stats().Bytes, int64(2000))
}

func TestFunctionsGoWithTheirModule(t *testing.T) {
	d, c := mocked(t)
	mem := holding(t, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	d.EXPECT().ModuleGetFunction(m, "k").Return(driver.Function(0x99), nil)
	_, _, err := c.Function(d, m, "k")
	require.NoError(t, err)
	unload(t, c, d, m, Kept)
	d.EXPECT().ModuleUnload(m)
	_, err = c.Trim(d, 0)
	require.NoError(t, err)
	f, o, err := c.Function(d, m, "k")
	require.Zero(t, f)
	require.Equal(t, WasStale, o.Result)
	require.ErrorContains(t, err, "mgpuModuleGetFunction(k)")
}

func TestAModulesImageCanBeLookedAt(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	img := image(3, "kernels")
	d.EXPECT().ModuleLoad(img).Return(driver.Module(0x10), nil)
	c := New(testConfig())
	mem := region(t, 4096)
	copy(mem, img)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	copy(mem, "somebody else's")
	looks := 0
	require.True(t, c.Inspect(m, func(kind codeobj.Kind, got []byte) {
		require.Equal(t, codeobj.Kind(3), kind)
		require.Equal(t, img, got)
		looks++
	}))
	require.False(t, c.Inspect(m+1, func(codeobj.Kind, []byte) { looks++ }), "not the cache's")
	require.Equal(t, 1, looks)
}
