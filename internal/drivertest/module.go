package drivertest

import (
	"fmt"
	"runtime"
	"sync"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var moduleTests = []conformance{
	{"module/loads, resolves and unloads", func(x *exam) {
		m, err := x.d.ModuleLoad(x.images.Kernels())
		x.ok(err, "ModuleLoad")
		names := []string{"empty", "fill", "vector_add", "step", "indices", "spin_until", "meet", "reverse_shared", "scalars", "store_to"}
		seen := map[driver.Function]bool{}
		for _, name := range names {
			f := x.function(m, name)
			x.want(!seen[f], "each kernel has its own function")
			seen[f] = true
		}
		x.ok(x.d.ModuleUnload(m), "ModuleUnload")
	}},
	{"module/one image may be loaded twice", func(x *exam) {
		a, err := x.d.ModuleLoad(x.images.Kernels())
		x.ok(err, "ModuleLoad")
		b := x.load(x.images.Kernels())
		x.function(a, "fill")
		x.ok(x.d.ModuleUnload(a), "ModuleUnload of one")
		p, s := x.words(64, 0), x.stream()
		x.launch(x.function(b, "fill"), 1, 64, s, p, uint32(3), uint32(64))
		x.equal(x.downloadOn(p, 64, s), repeat(3, 64), "the other one still works")
	}},
	{"module/two images with one kernel name stay apart", func(x *exam) {
		a, b := x.load(x.images.Kernels()), x.load(x.images.Other())
		p, q, s := x.words(64, 0), x.words(64, 0), x.stream()
		x.launch(x.function(a, "fill"), 1, 64, s, p, uint32(3), uint32(64))
		x.launch(x.function(b, "fill"), 1, 64, s, q, uint32(3), uint32(64))
		x.equal(x.downloadOn(p, 64, s), repeat(3, 64), "first")
		x.equal(x.downloadOn(q, 64, s), repeat(4, 64), "second")
	}},
	{"module/unloading does not stop what was launched", func(x *exam) {
		m, err := x.d.ModuleLoad(x.images.Kernels())
		x.ok(err, "ModuleLoad")
		f := x.function(m, "step")
		p, s := x.words(64, 0), x.stream()
		want := uint32(0)
		for range 20 {
			x.launch(f, 1, 64, s, p, uint32(64))
			want = 3*want + 1
		}
		x.ok(x.d.ModuleUnload(m), "ModuleUnload")
		x.equal(x.downloadOn(p, 64, s), repeat(want, 64), "out")
	}},
	{"module/unknown kernel names are not found", func(x *exam) {
		m := x.load(x.images.Kernels())
		for _, name := range []string{"", "nope", "fil", "fill ", "fill.kd", "FILL", string(make([]byte, 3))} {
			f, err := x.d.ModuleGetFunction(m, name)
			x.fails(err, fmt.Sprintf("ModuleGetFunction(%q)", name), driver.NotFound, driver.InvalidValue)
			x.want(f == 0, "no function on failure")
		}
		x.function(m, "fill")
	}},
	{"module/code for another chip is refused", func(x *exam) {
		image := x.images.WrongArch()
		if image == nil {
			return
		}
		m, err := x.d.ModuleLoad(image)
		x.fails(err, "ModuleLoad", driver.WrongArch)
		x.want(m == 0, "no module on failure")
	}},
	{"module/garbage is refused", func(x *exam) {
		whole := x.images.Kernels()
		elf := make([]byte, 64)
		copy(elf, whole)
		for name, image := range map[string][]byte{
			"nothing": {}, "one byte": {0x7f}, "zeros": make([]byte, 4096), "text": []byte("hello, world: this is not a code object\x00"),
			"a header alone": elf, "a swapped class": swapped(whole, 4, 1), "another machine": swapped(whole, 18, 62),
		} {
			m, err := x.d.ModuleLoad(image)
			x.fails(err, "ModuleLoad of "+name, driver.InvalidImage, driver.WrongArch, driver.InvalidValue)
			x.want(m == 0, "no module on failure")
		}
		x.load(whole)
	}},
	{"module/truncated images never crash", func(x *exam) {
		whole := x.images.Kernels()
		for n := 0; n < len(whole); n += 64 {
			m, err := x.d.ModuleLoad(append([]byte(nil), whole[:n]...))
			if err == nil {
				// Possible if the cut part is not needed for loading.
				x.ok(x.d.ModuleUnload(m), "ModuleUnload")
			}
		}
		x.load(whole)
	}},
	{"module/threads load and unload at once", func(x *exam) {
		var wg sync.WaitGroup
		errs := make([]error, 8)
		for i := range errs {
			wg.Add(1)
			go func() {
				defer wg.Done()
				runtime.LockOSThread()
				defer runtime.UnlockOSThread()
				errs[i] = x.d.SetDevice(0)
				for range 10 {
					if errs[i] != nil {
						return
					}
					var m driver.Module
					if m, errs[i] = x.d.ModuleLoad(x.images.Kernels()); errs[i] == nil {
						if _, errs[i] = x.d.ModuleGetFunction(m, "fill"); errs[i] == nil {
							errs[i] = x.d.ModuleUnload(m)
						}
					}
				}
			}()
		}
		wg.Wait()
		for _, err := range errs {
			x.ok(err, "load, resolve and unload")
		}
	}},
}

func swapped(image []byte, at int, b byte) []byte {
	image = append([]byte(nil), image...)
	image[at] = b
	return image
}
