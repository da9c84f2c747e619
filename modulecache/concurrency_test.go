package modulecache

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// recordingDriver gives out handles. It checks that a module that is unloaded was loaded, and that its image did not
// change meanwhile.
type recordingDriver struct {
	mu     sync.Mutex
	next   driver.Module
	loaded map[driver.Module]recorded
	loads  int
	wrong  []string
	gate   chan struct{} // not nil: loads wait for it
	began  atomic.Int32
}

type recorded struct {
	image []byte
	text  string
}

func (d *recordingDriver) ModuleLoad(image []byte) (driver.Module, error) {
	d.began.Add(1)
	if d.gate != nil {
		<-d.gate
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.loaded == nil {
		d.loaded = map[driver.Module]recorded{}
	}
	d.next += 0x100
	d.loads++
	d.loaded[d.next] = recorded{image, string(image)}
	return d.next, nil
}

func (d *recordingDriver) ModuleLoadPrepared(p driver.PreparedModule) (driver.Module, error) {
	return p.Load()
}

func (d *recordingDriver) ModuleUnload(m driver.Module) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	r, ok := d.loaded[m]
	if !ok {
		d.wrong = append(d.wrong, fmt.Sprintf("%#x unloaded, but it is not loaded", m))
	} else if string(r.image) != r.text {
		d.wrong = append(d.wrong, fmt.Sprintf("image of %#x changed", m))
	}
	delete(d.loaded, m)
	return nil
}

func (d *recordingDriver) ModuleGetFunction(m driver.Module, name string) (driver.Function, error) {
	return driver.Function(m) + driver.Function(len(name)), nil
}

func (d *recordingDriver) text(m driver.Module) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.loaded[m].text
}

// Each thread holds a module of its own, and the next sixteen get the same ones.
func TestFirstLoadsAtOnceAreOneLoadForEach(t *testing.T) {
	d := &recordingDriver{gate: make(chan struct{})}
	c := New(testConfig())
	mem := region(t, 64<<10)
	img := image(1, "program")
	var wg sync.WaitGroup
	modules := make([]driver.Module, 16)
	for i := range modules {
		copy(mem[i*4096:], img)
		wg.Add(1)
		go func() {
			defer wg.Done()
			modules[i], _, _ = c.Load(d, 0, addressOf(mem[i*4096:]))
		}()
	}
	close(d.gate)
	wg.Wait()
	require.Equal(t, 16, d.loads)
	seen := map[driver.Module]bool{}
	for _, m := range modules {
		require.False(t, seen[m], "one module for two loads")
		seen[m] = true
		unload(t, c, d, m, StaysLoaded)
	}
	o, _ := c.Unload(d, modules[0])
	require.Equal(t, WasStale, o.Result, "one reference, no more")
	for range modules {
		m := load(t, c, d, 0, addressOf(mem), HitVerified)
		require.True(t, seen[m])
		delete(seen, m)
	}
}

func TestLoadsOfDifferentContentsDoNotWaitForEachOther(t *testing.T) {
	d := &recordingDriver{gate: make(chan struct{})}
	c := New(testConfig())
	mem := region(t, 8192)
	copy(mem, image(1, "one"))
	copy(mem[4096:], image(1, "two"))
	var wg sync.WaitGroup
	for i := range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			_, _, _ = c.Load(d, 0, addressOf(mem[i*4096:]))
		}()
	}
	for d.began.Load() < 2 { // hangs if one waits for the other
		runtime.Gosched()
	}
	close(d.gate)
	wg.Wait()
}

func TestManyThreadsUnderAByteLimit(t *testing.T) {
	d := new(recordingDriver)
	cfg := testConfig()
	cfg.Bytes = 3 * 512
	c := New(cfg)
	const images = 8
	mem := region(t, images*4096)
	var texts [images]string
	for i := range texts {
		body := fmt.Sprintf("shared %0500d", i)
		if i == images-1 {
			body = fmt.Sprintf("unique %0500d", i)
		}
		texts[i] = string(image(1, body))
		copy(mem[i*4096:], texts[i])
	}
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r := rand.New(rand.NewPCG(1, uint64(g)))
			for range 300 {
				i := r.IntN(images)
				m, _, err := c.Load(d, 0, addressOf(mem[i*4096:]))
				if err != nil {
					t.Error(err)
					return
				}
				if got := d.text(m); got != texts[i] {
					t.Errorf("image %d gave a module of %.30q", i, got)
				}
				if f, _, err := c.Function(d, m, "kernel"); err != nil || f != driver.Function(m)+6 {
					t.Errorf("function %#x of module %#x: %v", f, m, err)
				}
				if o, err := c.Unload(d, m); err != nil || o.Result == WasStale {
					t.Errorf("unload: %v, %v", o, err)
				}
			}
		}()
	}
	wg.Wait()
	_, err := c.evict(d, 0)
	require.NoError(t, err)
	require.Empty(t, d.wrong)
	require.Empty(t, d.loaded, "everything that was loaded is unloaded")
	require.Zero(t, c.Stats().Modules)
	require.Zero(t, c.Stats().Bytes)
}

func TestHitsAllocateNothing(t *testing.T) {
	d := new(recordingDriver)
	for _, known := range []bool{true, false} {
		cfg := testConfig()
		cfg.Holds = func(uintptr, []byte) (bool, bool) { return true, known }
		c := New(cfg)
		mem := region(t, 4096)
		copy(mem, image(1, "program"))
		addr := addressOf(mem)
		name := viewOf([]byte("some_kernel"))
		require.Zero(t, testing.AllocsPerRun(1000, func() {
			m, _, _ := c.Load(d, 0, addr)
			_, _, _ = c.Function(d, m, name)
			_, _ = c.Unload(d, m)
		}))
	}
}

func BenchmarkLoadUnloadWithoutReading(b *testing.B) {
	d := new(recordingDriver)
	cfg := testConfig()
	cfg.Holds = func(uintptr, []byte) (bool, bool) { return true, true }
	c := New(cfg)
	mem := region(b, 4096)
	copy(mem, image(1, "program"))
	addr := addressOf(mem)
	for i := 0; i < b.N; i++ {
		m, _, _ := c.Load(d, 0, addr)
		_, _ = c.Unload(d, m)
	}
}

func BenchmarkVerifiedLoadUnload(b *testing.B) {
	for _, size := range []int{5 << 10, 64 << 10, 1 << 20} {
		b.Run(fmt.Sprint(size>>10, "KiB"), func(b *testing.B) {
			d := new(recordingDriver)
			c := New(testConfig())
			mem := region(b, 2<<20)
			copy(mem, image(1, string(make([]byte, size))))
			addr := addressOf(mem)
			b.SetBytes(int64(size))
			for i := 0; i < b.N; i++ {
				m, _, _ := c.Load(d, 0, addr)
				_, _ = c.Unload(d, m)
			}
		})
	}
}

func BenchmarkFunction(b *testing.B) {
	d := new(recordingDriver)
	c := New(testConfig())
	mem := region(b, 4096)
	copy(mem, image(1, "program"))
	m, _, _ := c.Load(d, 0, addressOf(mem))
	for i := 0; i < b.N; i++ {
		_, _, _ = c.Function(d, m, "main_kernel_with_a_name")
	}
}
