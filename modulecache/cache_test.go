package modulecache

import (
	"fmt"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

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
		unload(t, c, d, m, StaysLoaded)
	}
}

func TestOtherBytesAtOneAddressAreAnotherModule(t *testing.T) {
	d, c := mocked(t)
	mem := region(t, 4096)
	one, two := image(1, "first program"), image(1, "other program")
	d.EXPECT().ModuleLoad(one).Return(driver.Module(0x10), nil)
	d.EXPECT().ModuleLoad(two).Return(driver.Module(0x20), nil)
	copy(mem, one)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	require.EqualValues(t, 0x10, m)
	unload(t, c, d, m, StaysLoaded)
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
	unload(t, c, d, a, StaysLoaded)
	b := load(t, c, d, 0, addressOf(mem[5003:]), HitContent)
	require.Equal(t, a, b)
	unload(t, c, d, b, StaysLoaded)
	load(t, c, d, 0, addressOf(mem[5003:]), HitVerified)
}

// Each load that the program holds is a module of the driver's own, as the driver's are: the program
// may give one to the driver's own functions.
func TestTwoLoadsThatAreHeldAreTwoModules(t *testing.T) {
	d, c := mocked(t)
	mem := holding(t, image(1, "program"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x20), nil)
	a := load(t, c, d, 0, addressOf(mem), Miss)
	b := load(t, c, d, 0, addressOf(mem), Miss)
	require.NotEqual(t, a, b)
	for range 3 { // no more of them than are held at once, in one order
		unload(t, c, d, b, StaysLoaded)
		unload(t, c, d, a, StaysLoaded)
		require.Equal(t, a, load(t, c, d, 0, addressOf(mem), HitVerified))
		require.Equal(t, b, load(t, c, d, 0, addressOf(mem), HitVerified))
	}
	require.Equal(t, 2, c.Stats().Modules)
	require.EqualValues(t, 2*len(image(1, "program")), c.Stats().Bytes)
	unload(t, c, d, a, StaysLoaded)
	d.EXPECT().ModuleUnload(a)
	n, err := c.evict(d, 0)
	require.NoError(t, err)
	require.Equal(t, 1, n, "the other one is held")
	require.Equal(t, 1, c.Stats().Modules)
}

// A thread keeps a module for the program's next load of it. Until then the module has no holder.
func TestAModuleThatAThreadKeepsIsGivenOutBeforeOneMoreIsLoaded(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	keeps := false
	cfg.Take = func(m driver.Module) bool {
		require.EqualValues(t, 0x10, m)
		took := keeps
		keeps = false
		return took
	}
	c := New(cfg)
	mem := holding(t, image(1, "program"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	keeps = true
	require.Equal(t, m, load(t, c, d, 0, addressOf(mem), HitVerified))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x20), nil)
	require.NotEqual(t, m, load(t, c, d, 0, addressOf(mem), Miss))
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
	unload(t, c, d, load(t, c, d, 0, addr, Miss), StaysLoaded)
	unload(t, c, d, load(t, c, d, 1, addr, Miss), StaysLoaded)
	for opt := 2; opt <= 3; opt++ {
		m, o, err := c.LoadJIT(d, 0, addr, opt)
		require.NoError(t, err)
		require.Equal(t, Miss, o.Result)
		unload(t, c, d, m, StaysLoaded)
	}
	m, o, err := c.LoadJIT(d, 0, addr, 2)
	require.NoError(t, err)
	require.Equal(t, HitContent, o.Result)
	require.EqualValues(t, 0x30, m)
	require.EqualValues(t, 0x20, load(t, c, d, 1, addr, HitVerified))
	require.EqualValues(t, 0x10, load(t, c, d, 0, addr, HitContent))
}

func TestBytesAreComparedWhereTheProcessCanTell(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	cfg := testConfig()
	mem := region(t, 4096)
	reads, asked, known := 0, 0, true
	cfg.Read = func(dst []byte, addr uintptr) error {
		reads++
		copy(dst, mem[addr-addressOf(mem):])
		return nil
	}
	cfg.Holds = func(addr uintptr, image []byte) (bool, bool) {
		asked++
		require.Equal(t, addressOf(mem), addr)
		return string(mem[:len(image)]) == string(image), known
	}
	c := New(cfg)
	one := image(1, "program")
	copy(mem, one)
	d.EXPECT().ModuleLoad(one).Return(driver.Module(0x10), nil).Times(1)
	unload(t, c, d, load(t, c, d, 0, addressOf(mem), Miss), StaysLoaded)
	before := reads
	for range 10 {
		m, o, err := c.Load(d, 0, addressOf(mem))
		require.NoError(t, err)
		require.Equal(t, Outcome{Result: HitVerified, Image: one}, o)
		unload(t, c, d, m, StaysLoaded)
	}
	require.Equal(t, before, reads)
	require.Equal(t, 10, asked)
	require.EqualValues(t, 10, c.Stats().Verified)

	known = false // then Read decides
	unload(t, c, d, load(t, c, d, 0, addressOf(mem), HitVerified), StaysLoaded)
	require.Greater(t, reads, before)

	known = true
	copy(mem, image(1, "patched")) // constants that the program has made writable
	d.EXPECT().ModuleLoad(image(1, "patched")).Return(driver.Module(0x20), nil)
	require.EqualValues(t, 0x20, load(t, c, d, 0, addressOf(mem), Miss))
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
	require.Zero(t, given[:len(given)+1][len(given)], "text must end beyond the image")
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
		got, o, err := c.Load(d, 0, addressOf(mem))
		require.NoError(t, err)
		require.Equal(t, Outcome{Result: Refused, Reason: "it has a mutable global, counter"}, o)
		require.Equal(t, m, got)
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
	n, err := c.evict(d, 0)
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Zero(t, c.Stats().Bytes)
}

func TestEqualHashesAreNotEqualContents(t *testing.T) {
	d, c := mocked(t)
	c.sum = func([]byte) uint64 { return 0 }
	mem := region(t, 8192)
	var m [3]driver.Module
	for i := range m {
		copy(mem[i*1024:], image(1, fmt.Sprint("program", i)))
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10*(i+1)), nil)
		m[i] = load(t, c, d, 0, addressOf(mem[i*1024:]), Miss)
	}
	unload(t, c, d, m[1], StaysLoaded)
	d.EXPECT().ModuleUnload(m[1])
	_, err := c.evict(d, 0)
	require.NoError(t, err)
	unload(t, c, d, m[0], StaysLoaded)
	unload(t, c, d, m[2], StaysLoaded)
	for _, i := range []int{0, 2} { // on both sides of the one that left the chain
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
	load(t, c, d, 0, addressOf(mem), Miss)
	n, err := c.evict(d, 0) // one of the two contents has a module that the program still holds
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, 1, c.Stats().Modules)
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

func TestFunctionsGoWithTheirModule(t *testing.T) {
	d, c := mocked(t)
	mem := holding(t, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	d.EXPECT().ModuleGetFunction(m, "k").Return(driver.Function(0x99), nil)
	_, _, err := c.Function(d, m, "k")
	require.NoError(t, err)
	unload(t, c, d, m, StaysLoaded)
	d.EXPECT().ModuleUnload(m)
	_, err = c.evict(d, 0)
	require.NoError(t, err)
	f, o, err := c.Function(d, m, "k")
	require.Zero(t, f)
	require.Equal(t, WasStale, o.Result)
	require.ErrorContains(t, err, "mgpuModuleGetFunction(k)")
}

func TestTheFirstLoadSaysWhetherKernelsMayPrint(t *testing.T) {
	prepared, _, _ := preparing(t)
	for name, c := range map[string]*Cache{"read by the cache": New(testConfig()), "read by the driver": prepared} {
		d := new(recordingDriver)
		quiet, may := holding(t, image(1, "silent")), holding(t, image(1, "program"))
		require.True(t, c.Silent(load(t, c, d, 0, addressOf(quiet), Miss)), name)
		require.False(t, c.Silent(load(t, c, d, 0, addressOf(may), Miss)), name)
		require.False(t, c.Silent(12345), "%s: not the cache's", name)
	}
}

func TestAModulesImageCanBeLookedAt(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	img := image(3, "kernels")
	d.EXPECT().ModuleLoad(img).Return(driver.Module(0x10), nil)
	c := New(testConfig())
	mem := region(t, 4096)
	copy(mem, img)
	m := load(t, c, d, 0, addressOf(mem), Miss)
	copy(mem, "another content")
	looks := 0
	require.True(t, c.Inspect(m, func(kind codeobj.Kind, got []byte) {
		require.Equal(t, codeobj.Kind(3), kind)
		require.Equal(t, img, got)
		looks++
	}))
	require.False(t, c.Inspect(m+1, func(codeobj.Kind, []byte) { looks++ }), "not the cache's")
	require.Equal(t, 1, looks)
}
