package modulecache

import (
	"bytes"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// freeDriver loads at no cost.
type freeDriver struct{ handles uintptr }

func (d *freeDriver) ModuleLoad([]byte) (driver.Module, error) {
	d.handles += 16
	return driver.Module(d.handles), nil
}
func (d *freeDriver) ModuleLoadPrepared(p driver.PreparedModule) (driver.Module, error) {
	return p.Load()
}
func (d *freeDriver) ModuleUnload(driver.Module) error { return nil }
func (d *freeDriver) ModuleGetFunction(m driver.Module, _ string) (driver.Function, error) {
	return driver.Function(m), nil
}

// processorTime is what the process has used, which other processes disturb less than the time of day.
func processorTime() int64 {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return u.Utime.Nano() + u.Stime.Nano()
}

const smallPTX = "// 00000000\n.version 7.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p){ret;}\n"

// BenchmarkNewImage loads an image that the cache does not know, and unloads it: the time that the cache adds to a
// driver's load. The cache holds 4096 modules, as by default; the least recently used leave.
func BenchmarkNewImage(b *testing.B) {
	for _, of := range []struct{ name, mark string }{
		{"llvm19.hsaco", "Linker: "}, {"v5.hsaco", "Linker: "}, {"ptx", "// "},
	} {
		b.Run(of.name, func(b *testing.B) {
			img := []byte(smallPTX)
			if of.name != "ptx" {
				var err error
				img, err = os.ReadFile("../internal/codeobj/testdata/" + of.name)
				require.NoError(b, err)
			}
			mem := region(b, 16<<10)
			copy(mem, img)
			number := bytes.Index(img, []byte(of.mark)) + len(of.mark)
			c, d := New(Config{}), new(freeDriver)
			load := func(i int) {
				for digit := range 8 {
					mem[number+digit] = "0123456789abcdef"[i>>(4*digit)&15]
				}
				m, o, err := c.Load(d, 0, addressOf(mem))
				if err != nil || o.Result != Miss {
					b.Fatal(o, err)
				}
				_, _ = c.Unload(d, m)
			}
			i := 0
			for ; i < 5000; i++ {
				load(i)
			}
			b.ReportAllocs()
			before := processorTime()
			for b.Loop() {
				load(i)
				i++
			}
			b.ReportMetric(float64(processorTime()-before)/float64(b.N), "cpu-ns/op")
		})
	}
}
