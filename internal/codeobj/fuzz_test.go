package codeobj

import "testing"

func seeds(f *testing.F) {
	for _, name := range hsacos {
		image := load(f, name+".hsaco")
		f.Add(image)
		f.Add(stripped(image))
	}
	f.Add(append(load(f, "globals.ptx"), 0))
	f.Add(bundle(map[string][]byte{"hipv4-amdgcn-amd-amdhsa--gfx906": load(f, "cuid.hsaco")}, "host-x86_64--", "hipv4-amdgcn-amd-amdhsa--gfx906"))
	f.Add(compressed(2, 99))
	f.Add(compressed(3, 99))
	f.Add(fatbin(fatbinPart{kind: 1, flags: fatbinLZ4, unpacked: 23, contents: []byte("\xe0.global .u32 x\x0e\x00\x50;abcd")}))
}

func FuzzExtent(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, image []byte) {
		kind, size, err := Extent(imageSource(image).fill)
		if err != nil {
			return
		}
		if size > maxExtent || size == 0 || kind == KindUnknown {
			t.Fatalf("%v of %d bytes", kind, size)
		}
		if size <= uint64(len(image)) {
			if k, n, err := Extent(imageSource(image[:size]).fill); err != nil || k != kind || n != size {
				t.Fatalf("%v of %d bytes, but alone %v of %d: %v", kind, size, k, n, err)
			}
			Unshareable(kind, image[:size])
		}
	})
}

func FuzzParse(f *testing.F) {
	seeds(f)
	f.Fuzz(func(t *testing.T, image []byte) {
		o, err := Parse(image)
		if err != nil {
			return
		}
		o.Unshareable()
		for i := range o.Relocs {
			r := &o.Relocs[i]
			r.Value(1<<40, 1<<41)
			if r.Symbol >= len(o.Symbols) || o.segmentOf(r.Addr, uint64(r.Size())) == nil {
				t.Fatalf("relocation %+v", r)
			}
		}
		calls := o.CallGraph()
		for i := range o.Kernels {
			k := &o.Kernels[i]
			calls.HostUse(k)
			if s := o.segmentOf(k.EntryAddr, 4); s == nil {
				t.Fatalf("kernel %s enters at %#x", k.Name, k.EntryAddr)
			}
			for _, a := range k.Args {
				if uint64(a.Offset)+uint64(a.Size) > uint64(k.KernargSize) {
					t.Fatalf("argument %+v", a)
				}
			}
		}
	})
}

func FuzzMetadata(f *testing.F) {
	for _, name := range hsacos {
		o, err := Parse(load(f, name+".hsaco"))
		if err != nil {
			f.Fatal(err)
		}
		notes, err := o.metadataNotes()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(notes[0])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := decodeMetadata(b)
		if err != nil {
			return
		}
		for i := range m.kernels {
			if err := m.kernels[i].check(); err != nil {
				t.Fatalf("kernel %d: %v", i, err)
			}
		}
	})
}
