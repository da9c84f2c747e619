package softgpu

import "testing"

// FuzzModuleLoad damages a good code object at a few places.
func FuzzModuleLoad(f *testing.F) {
	good := image(f)
	d, err := Open(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(0), uint64(0), uint32(64), uint64(1), uint32(len(good)))
	f.Add(uint32(0x1000), ^uint64(0), uint32(0x400), uint64(1)<<40, uint32(len(good)))
	f.Fuzz(func(t *testing.T, at1 uint32, v1 uint64, at2 uint32, v2 uint64, size uint32) {
		b := append([]byte(nil), good[:int(size)%(len(good)+1)]...)
		for _, damage := range []struct {
			at uint32
			v  uint64
		}{{at1, v1}, {at2, v2}} {
			for i := range 8 {
				if at := int(damage.at) + i; at < len(b) {
					b[at] ^= byte(damage.v >> (8 * i))
				}
			}
		}
		m, err := d.ModuleLoad(b)
		if err != nil {
			return
		}
		for name := range d.modules.get(uintptr(m)).kernels {
			_, _ = d.ModuleGetFunction(m, name)
		}
		if err := d.ModuleUnload(m); err != nil {
			t.Fatal(err)
		}
	})
}
