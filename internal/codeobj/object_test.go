package codeobj

import (
	"bytes"
	"debug/elf"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestParseTellsVersionAndTarget(t *testing.T) {
	for name, want := range map[string]struct {
		version int
		target  string
		id      Target
		generic uint8
	}{
		"v4":      {4, "amdgcn-amd-amdhsa--gfx906", Target{"gfx906", FeatureAny, FeatureAny}, 0},
		"v5":      {5, "amdgcn-amd-amdhsa--gfx906", Target{"gfx906", FeatureAny, FeatureAny}, 0},
		"v6":      {6, "amdgcn-amd-amdhsa--gfx906", Target{"gfx906", FeatureAny, FeatureAny}, 0},
		"gfx90a":  {5, "amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-", Target{"gfx90a", FeatureOff, FeatureOn}, 0},
		"gfx942":  {6, "amdgcn-amd-amdhsa--gfx942", Target{"gfx942", FeatureAny, FeatureAny}, 0},
		"gfx1100": {5, "amdgcn-amd-amdhsa--gfx1100", Target{"gfx1100", FeatureUnsupported, FeatureUnsupported}, 0},
		"generic": {6, "amdgcn-amd-amdhsa--gfx9-generic", Target{"gfx9-generic", FeatureAny, FeatureUnsupported}, 1},
	} {
		o := parse(t, name)
		assert.Equal(t, want.version, o.Version, name)
		assert.Equal(t, want.target, o.Target, name)
		assert.Equal(t, want.id, o.ID, name)
		assert.Equal(t, want.id.Processor, o.Chip, name)
		assert.Equal(t, want.generic, o.Generic, name)
	}
}

// TestGenericCodeNeedsAVersion changes what the header of generic code says of its version.
func TestGenericCodeNeedsAVersion(t *testing.T) {
	const abi, version = 8, 0x33 // the ABI version, which counts from 2, and the last byte of e_flags
	image := load(t, "generic.hsaco")
	for _, v := range []byte{1, 2, 255} {
		image[version] = v
		o, err := Parse(image)
		require.NoError(t, err, "version %d", v)
		assert.Equal(t, v, o.Generic)
		assert.True(t, o.ID.Runs(Target{Processor: "gfx906"}))
		assert.False(t, o.ID.Runs(Target{Processor: "gfx90a"}))
	}
	image[version] = 0
	_, err := Parse(image)
	require.ErrorContains(t, err, "code for gfx9-generic without a generic version, which code object version 6 has")
	image[version], image[abi] = 1, 3
	_, err = Parse(image)
	require.ErrorContains(t, err, "code for gfx9-generic without a generic version")
}

func TestParseFindsKernels(t *testing.T) {
	o := parse(t, "v5")
	require.Len(t, o.Kernels, 3)
	k := o.Kernel("saxpy")
	require.NotNil(t, k)
	assert.Equal(t, "saxpy.kd", k.Symbol)
	assert.Equal(t, NormalKernel, k.Kind)
	assert.Equal(t, [3]uint32{64, 1, 1}, k.ReqdWorkgroupSize)
	assert.Equal(t, uint32(64), k.MaxFlatWorkgroupSize)
	assert.Equal(t, o.Symbol("saxpy.kd").Value, k.DescriptorAddr)
	assert.Equal(t, o.Symbol("saxpy").Value, k.EntryAddr)
	require.Len(t, k.Args, 5)
	assert.Equal(t, Arg{Offset: 8, Size: 8, Kind: GlobalBuffer, KindName: "global_buffer"}, k.Args[1])
	assert.Equal(t, Arg{Offset: 24, Size: 4, Kind: DynamicSharedPointer, KindName: "dynamic_shared_pointer"}, k.Args[4])
	assert.Equal(t, uint32(160), o.Kernel("sizes").GroupSize)
	assert.Equal(t, uint32(160), o.Kernel("sizes").Descriptor.GroupSize)
	assert.Equal(t, uint32(132), o.Kernel("spilled").PrivateSize)
	assert.Nil(t, o.Kernel("absent"))
}

func TestParseKnowsEveryHiddenArgument(t *testing.T) {
	for _, name := range hsacos {
		for _, k := range parse(t, name).Kernels {
			for _, a := range k.Args {
				assert.NotEqual(t, UnknownValue, a.Kind, "%s %s %s", name, k.Name, a.KindName)
				assert.Equal(t, a.Kind.Hidden(), a.Hidden(), a.KindName)
				assert.Equal(t, a.KindName, a.Kind.String())
			}
		}
	}
	var hidden []ValueKind
	for _, a := range parse(t, "init").Kernel("amdgcn.device.init").Args {
		hidden = append(hidden, a.Kind)
	}
	assert.Contains(t, hidden, HiddenBlockCountX)
	assert.Contains(t, hidden, HiddenQueuePtr)
}

func TestParseSeesTheSameWithoutSectionHeaders(t *testing.T) {
	for _, name := range hsacos {
		image := load(t, name+".hsaco")
		whole, err := Parse(image)
		require.NoError(t, err)
		bare, err := Parse(stripped(image))
		require.NoError(t, err, name)
		assert.Equal(t, whole.Kernels, bare.Kernels, name)
		assert.True(t, bytes.Equal(whole.Text.Bytes, bare.Text.Bytes), name)
		assert.Len(t, bare.Segments, len(whole.Segments), name)
		assert.Equal(t, whole.Relocs, bare.Relocs, name)
		assert.Equal(t, whole.Symbols[:whole.dynsyms], bare.Symbols, name)
	}
}

// withoutHash hides DT_HASH, so that only the GNU hash table can be used.
func withoutHash(t *testing.T, image []byte) []byte {
	b := append([]byte(nil), image...)
	f, err := elf.NewFile(strings.NewReader(string(b)))
	require.NoError(t, err)
	dyn := f.SectionByType(elf.SHT_DYNAMIC)
	for at := dyn.Offset; at < dyn.Offset+dyn.Size; at += dynSize {
		if le.Uint64(b[at:]) == uint64(elf.DT_HASH) {
			le.PutUint64(b[at:], 0x6ffffff9) // DT_RELACOUNT
		}
	}
	return b
}

func TestParseCountsSymbolsByEitherHashTable(t *testing.T) {
	for _, name := range hsacos {
		image := load(t, name+".hsaco")
		o, err := Parse(stripped(withoutHash(t, image)))
		require.NoError(t, err, name)
		assert.Len(t, o.Symbols, parse(t, name).dynsyms, name)
	}
}

func TestParseReadsWhatDebugELFReads(t *testing.T) {
	for _, name := range hsacos {
		f, err := elf.Open("testdata/" + name + ".hsaco")
		require.NoError(t, err)
		defer f.Close()
		o := parse(t, name)
		loads := 0
		for _, p := range f.Progs {
			if p.Type != elf.PT_LOAD {
				continue
			}
			s := o.Segments[loads]
			loads++
			assert.Equal(t, []uint64{p.Vaddr, p.Memsz, p.Filesz, uint64(p.Flags)}, []uint64{s.Addr, s.MemSize, uint64(len(s.Bytes)), uint64(s.Flags)})
		}
		assert.Len(t, o.Segments, loads)
		assert.Equal(t, f.Section(".text").Addr, o.Text.Addr, name)
		text, err := f.Section(".text").Data()
		require.NoError(t, err)
		assert.True(t, bytes.Equal(text, o.Text.Bytes), name)
		dyn, err := f.DynamicSymbols()
		require.NoError(t, err)
		for i, s := range dyn {
			got := o.Symbols[i+1]
			assert.Equal(t, []any{s.Name, s.Value, s.Size, s.Info}, []any{got.Name, got.Value, got.Size, byte(got.Bind)<<4 | byte(got.Type)})
		}
	}
}

func TestParseReadsRelocations(t *testing.T) {
	o := parse(t, "globals")
	require.Len(t, o.Relocs, 2)
	for i, want := range []string{"f", "counter"} {
		r := o.Relocs[i]
		assert.Equal(t, RelocAbs64, r.Type)
		assert.Equal(t, want, o.Symbols[r.Symbol].Name)
	}
	assert.Equal(t, o.Symbol("callee").Value, o.Relocs[0].Addr)

	o = parse(t, "constants")
	require.Len(t, o.Relocs, 1)
	r := o.Relocs[0]
	assert.Equal(t, Reloc{Addr: o.Symbol("callee").Value, Type: RelocRelative64, Symbol: -1, Addend: int64(o.Symbol("f").Value)}, r)
	assert.Equal(t, "R_AMDGPU_RELATIVE64", r.Type.String())
	assert.Equal(t, 0x10000+o.Symbol("f").Value, r.Value(0x10000, 0))
}

func TestRelocValues(t *testing.T) {
	const base, sym = 0x1_0000_0000, 0x7_89ab_cdef
	for typ, want := range map[RelocType]uint64{
		RelocAbs32Lo:    0x89abcdff,
		RelocAbs32Hi:    7,
		RelocAbs32:      0x89abcdff,
		RelocAbs64:      0x7_89ab_cdff,
		RelocRel32:      0x89abcdff - 0x40,
		RelocRel64:      0x7_89ab_cdff - 0x1_0000_0040,
		RelocRel32Lo:    0x89abcdff - 0x40,
		RelocRel32Hi:    6,
		RelocRelative64: 0x1_0000_0010,
	} {
		r := Reloc{Addr: 0x40, Type: typ, Addend: 0x10}
		assert.Equal(t, want, r.Value(base, sym), "%v", typ)
		assert.Contains(t, []int{4, 8}, r.Size())
	}
}

func TestSymbolsKnowWhetherTheyCanBeWritten(t *testing.T) {
	o := parse(t, "globals")
	for name, writable := range map[string]bool{"counter": true, "table": false, "callee": false, "bump": false, "bump.kd": false} {
		s := o.Symbol(name)
		require.NotNil(t, s, name)
		assert.Equal(t, writable, s.Writable, name)
	}
	assert.False(t, parse(t, "norelro").Symbol("callee").Writable)
	assert.Nil(t, o.Symbol("absent"))
}

func TestParseOfUnalignedImages(t *testing.T) {
	image := load(t, "v6.hsaco")
	for shift := range 9 {
		b := append(make([]byte, shift), image...)[shift:]
		o, err := Parse(b)
		require.NoError(t, err)
		assert.Len(t, o.Kernels, 3)
	}
}

func TestParseOfTruncatedImagesFails(t *testing.T) {
	for _, name := range hsacos {
		image := load(t, name+".hsaco")
		for n := 0; n < len(image); n += 64 {
			_, err := Parse(image[:n:n])
			require.Error(t, err, "%s cut at %d", name, n)
		}
	}
}

func TestParseNamesWhatIsWrong(t *testing.T) {
	shdr := func(b []byte, i int) []byte { return b[le.Uint64(b[40:])+uint64(i)*shdrSize:] }
	replace := func(old, new string) func([]byte) {
		return func(b []byte) { copy(b[strings.Index(string(b), old):], new) }
	}
	kd := parse(t, "v5").Kernel("spilled")
	at := func(b []byte) []byte { // the descriptor of kernel spilled
		return b[kd.DescriptorAddr:] // the first segment lies at its own offset
	}
	for name, c := range map[string]struct {
		patch func(b []byte)
		want  string
	}{
		"OS/ABI":              {func(b []byte) { b[7] = 0 }, "OS/ABI 0 is not HSA"},
		"version 3":           {func(b []byte) { b[8] = 1 }, "code object version 3 (ABI version 1)"},
		"version 7":           {func(b []byte) { b[8] = 5 }, "code object version 7"},
		"not linked":          {func(b []byte) { b[16] = 1 }, "was it linked?"},
		"no such chip":        {func(b []byte) { b[48] = 0xfe }, "no known processor"},
		"another chip":        {func(b []byte) { b[48] = 0x2c }, "amdhsa.target is amdgcn-amd-amdhsa--gfx906, but e_flags say gfx900"},
		"no note":             {replace("AMDGPU\x00", "AMDGPX\x00"), "no AMDGPU metadata note"},
		"note too long":       {func(b []byte) { le.PutUint32(b[strings.Index(string(b), "AMDGPU\x00")-8:], 1<<31) }, "ELF note of type 32"},
		"no descriptor":       {replace(".symbol\xaaspilled.kd", ".symbol\xaaspilled.kx"), "kernel spilled: .symbol: the code object does not define spilled.kx"},
		"entry in data":       {func(b []byte) { le.PutUint64(at(b)[16:], 0) }, "kernel spilled: descriptor spilled.kd: the entry point"},
		"entry unaligned":     {func(b []byte) { at(b)[16]++ }, "not in executable memory"},
		"wave size":           {func(b []byte) { at(b)[57] |= 4 }, "kernel spilled: .wavefront_size is 64"},
		"segment shrinks":     {func(b []byte) { le.PutUint64(b[64+56+40:], 1) }, "bytes in the file, but 1 in memory"},
		"segments overlap":    {func(b []byte) { le.PutUint64(b[64+2*56+16:], 0) }, "ELF segment 2: address 0x0"},
		"segment far away":    {func(b []byte) { le.PutUint64(b[64+56+16:], 1<<60) }, "ELF segment 1"},
		"string table absent": {func(b []byte) { le.PutUint32(shdr(b, 12)[40:], 99) }, "section 99 is not its string table"},
	} {
		_, err := Parse(patched(t, c.patch))
		require.Error(t, err, name)
		assert.Contains(t, err.Error(), c.want, name)
	}
	_, err := Parse(append(load(t, "globals.ptx"), 0))
	require.Error(t, err)
	assert.Contains(t, err.Error(), "not an AMDGPU code object, but PTX")
	_, err = Parse(compressed(3, 77))
	assert.ErrorContains(t, err, "not an AMDGPU code object, but compressed offload bundle: clang-offload-bundler --unbundle --type=o unpacks it")
}

// A linker joins the notes of its objects one after the other. rocBLAS' libraries of kernels have a note for each kernel.
func TestEachLinkedObjectsKernelsAreRead(t *testing.T) {
	o := parse(t, "linked")
	var names []string
	for _, k := range o.Kernels {
		names = append(names, k.Name)
	}
	assert.Equal(t, []string{"part1", "common", "chosen", "part2"}, names)
	assert.Len(t, o.Kernel("chosen").Args, 3, "the first is weak, and the linker has taken the second")
	assert.Len(t, o.Kernel("part2").Args, 2)
	assert.Less(t, o.Kernel("common").EntryAddr, o.Kernel("part2").EntryAddr)
}

func TestLinkedObjectsWithDifferentFormatsAreRefused(t *testing.T) {
	o := new(Object)
	for _, formats := range [][]string{nil, {"1:0:a"}, nil, {"1:0:a"}} {
		require.NoError(t, o.addMetadata(&metadata{printf: formats}))
	}
	assert.Equal(t, []string{"1:0:a"}, o.Printf)
	assert.ErrorContains(t, o.addMetadata(&metadata{printf: []string{"1:0:b"}}), "two metadata notes have different lists amdhsa.printf")
}

func TestParseRefusesBadRelocations(t *testing.T) {
	image := load(t, "globals.hsaco")
	f, err := elf.NewFile(strings.NewReader(string(image)))
	require.NoError(t, err)
	rela := f.Section(".rela.dyn").Offset
	for want, patch := range map[string]func(r []byte){
		"relocation 0: type 99 is not known":                       func(r []byte) { r[8] = 99 },
		"relocation 0: R_AMDGPU_ABS64: symbol 77":                  func(r []byte) { r[12] = 77 },
		"relocation 0: R_AMDGPU_ABS64: address 0x7fffff0000000000": func(r []byte) { le.PutUint64(r, 0x7fffff0000000000) },
	} {
		b := append([]byte(nil), image...)
		patch(b[rela:])
		_, err := Parse(b)
		require.Error(t, err)
		assert.Contains(t, err.Error(), want)
	}
}

func TestParseDoesNotBelieveManySegments(t *testing.T) {
	image := load(t, "v5.hsaco")
	b := append(append([]byte(nil), image...), make([]byte, 300*phdrSize)...)
	le.PutUint64(b[32:], uint64(len(image)))
	le.PutUint16(b[56:], 300)
	_, err := Parse(b)
	assert.ErrorContains(t, err, "300 entries are not believed")
}

func TestNamesMayShareTheirEndingsOnly(t *testing.T) {
	o := new(Object)
	names := o.stringTable([]byte("\x00abc.kd\x00x"))
	for off, want := range map[uint32]string{0: "", 1: "abc.kd", 4: ".kd", 7: ""} {
		got, err := names.at(off)
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
	for _, off := range []uint32{8, 9, 1 << 31} {
		_, err := names.at(off)
		assert.ErrorContains(t, err, "does not end in the string table of 9 bytes")
	}
	long := o.stringTable([]byte(strings.Repeat("x", 100000) + "\x00"))
	var err error
	for i := uint32(0); err == nil; i++ {
		require.Less(t, i, uint32(200))
		_, err = long.at(i)
	}
	assert.Equal(t, errOverlap, err)
}

func TestMachsAreLLVMs(t *testing.T) {
	old := map[string]bool{"gfx940": true, "gfx941": true} // gone from LLVM 20
	long := os.Getenv("MGPU_TEST_LONG") != ""
	for mach, chip := range machs {
		// Each is a start of LLVM's assembler.
		if old[chip] || !long && !strings.HasPrefix(chip, "gfx9") && mach%4 != 0 {
			continue
		}
		out := tool(t, "llvm-mc-22", "-triple=amdgcn-amd-amdhsa", "-mcpu="+chip, "-filetype=obj", "/dev/null")
		assert.Equal(t, mach, le.Uint32([]byte(out)[48:])&flagMach, chip)
	}
}
