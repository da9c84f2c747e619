package codeobj

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnshareableCodeObjects(t *testing.T) {
	for name, want := range map[string]string{
		"v4": "", "v5": "", "v6": "", "gfx90a": "", "gfx942": "", "gfx1100": "", "generic": "",
		"constants": "", "llvm16": "", "llvm19": "",
		"cuid":    "",
		"norelro": "",
		"globals": "variable counter can be written",
		"private": "4 bytes at address 0x35a8 can be written, and no symbol names them",
		"managed": "variable x is managed memory",
		"named":   "constant protected_constant can be set by the host",
		"init":    "kernel amdgcn.device.init is of kind init: loading runs it",
	} {
		image := load(t, name+".hsaco")
		assert.Equal(t, want, Unshareable(KindHSACO, image), name)
		bare := Unshareable(KindHSACO, stripped(image))
		if name == "norelro" { // what its writable memory holds can't be told any more
			assert.NotEmpty(t, bare)
			continue
		}
		assert.Equal(t, want, bare, name)
	}
}

func TestUnshareableWhatCannotBeRead(t *testing.T) {
	for kind, image := range map[Kind][]byte{
		KindHSACO:            load(t, "v5.hsaco")[:1000],
		KindCubin:            {1, 2, 3},
		KindBundle:           []byte(bundleMagic),
		KindFatbin:           {},
		KindCompressedBundle: {},
		KindUnknown:          {},
		Kind(99):             {},
	} {
		assert.Contains(t, Unshareable(kind, image), "contents are not known", "%v", kind)
	}
}

func TestAKernelsNameIsFoundWhereThereIsOne(t *testing.T) {
	image := load(t, "named.hsaco")
	assert.Equal(t, "sum", AnyKernel(KindHSACO, image))
	const a = "hipv4-amdgcn-amd-amdhsa--gfx906"
	assert.Equal(t, "sum", AnyKernel(KindBundle, bundle(map[string][]byte{a: image}, "host-x86_64-unknown-linux-gnu-", a)))
	assert.Empty(t, AnyKernel(KindHSACO, image[:100]))
	assert.Empty(t, AnyKernel(KindBundle, []byte(bundleMagic)))
	assert.Empty(t, AnyKernel(KindPTX, load(t, "globals.ptx")))
}

func TestUnshareableBundles(t *testing.T) {
	clean, counter := load(t, "v5.hsaco"), load(t, "globals.hsaco")
	const a, b, host = "hipv4-amdgcn-amd-amdhsa--gfx900", "hipv4-amdgcn-amd-amdhsa--gfx906", "host-x86_64-unknown-linux-gnu-"
	assert.Empty(t, Unshareable(KindBundle, bundle(map[string][]byte{a: clean, b: clean}, host, a, b)))
	assert.Equal(t, "variable counter can be written", Unshareable(KindBundle, bundle(map[string][]byte{a: clean, b: counter}, host, a, b)))
	assert.Contains(t, Unshareable(KindBundle, bundle(map[string][]byte{a: {1}}, a)), "entry "+a+": not a code object")
	cut := bundle(map[string][]byte{a: clean}, a)
	assert.Contains(t, Unshareable(KindBundle, cut[:len(cut)-1]), "beyond the image's")
	assert.Contains(t, Unshareable(KindBundle, cut[:len(cut)/2]), "larger than the bundle")
}

func TestUnshareablePTX(t *testing.T) {
	const head = ".version 7.0\n.target sm_80\n.address_size 64\n"
	for text, want := range map[string]string{
		string(load(t, "globals.ptx")):                    "variable counter can be written",
		head + ".visible .global .align 4 .u32 x;":        "variable x can be written",
		head + ".global .attribute(.managed) .b32 m = 3;": "variable m can be written",
		head + ".extern .global .b8 $buf_1[];":            "variable $buf_1 can be written",
		head + ".global\n.v4\n.f32\nvec\n[2]\n;":          "variable vec can be written",
		head + ".global .texref t;":                       "variable t can be written",
		head + ".global":                                  "variable without a name can be written",
		head + ".const .b32 c = 3;":                       "constant c can be set by the host",
		head + ".visible .const .align 4 .b8 c[16];":      "constant c can be set by the host",
		head + ".extern .const[2] .b32 c[];":              "constant c can be set by the host",
		head + ".tex .u32 t;":                             "constant t can be set by the host",
		head + ".entry k(.param .u64 .ptr .const .align 4 p) { ld.const.u32 %r1, [%rd1]; tex.2d.v4.u32.f32 {%r1}, [p, {%f1}]; }": "",
		head + "// .global .u32 x;\n/* .global .u32 y; */ .shared .b8 s[4];":                                                     "",
		head + ".entry k(.param .u64 .ptr .global .align 4 p) { st.global.u32 [%rd1], %r1; ret; }":                               "",
		head + ".file 1 \".global .u32 /* x\" .const .b8 c;":                                                                     "constant c can be set by the host",
		head + ".file 1 \"a\\\"b .global .u32 x;\"":                                                                              "",
		head + ".entry k() { cvta.to.global.u64 %rd2, %rd1; }\x00.global .u32 after;":                                            "",
	} {
		assert.Equal(t, want, Unshareable(KindPTX, []byte(text)), "%s", text)
	}
}

// cubin makes a CUDA ELF with yaml2obj.
func cubin(t *testing.T, sections string) []byte {
	t.Helper()
	path, err := exec.LookPath("yaml2obj-22")
	if err != nil {
		if path = "/usr/lib/llvm-22/bin/yaml2obj"; exec.Command(path, "--version").Run() != nil {
			t.Skip("yaml2obj is not installed")
		}
	}
	out := filepath.Join(t.TempDir(), "cubin")
	cmd := exec.Command(path, "-o", out)
	cmd.Stdin = strings.NewReader("--- !ELF\nFileHeader: {Class: ELFCLASS64, Data: ELFDATA2LSB, Type: ET_EXEC, Machine: EM_CUDA}\n" + sections)
	msg, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", msg)
	b, err := os.ReadFile(out)
	require.NoError(t, err)
	return b
}

func TestUnshareableCubins(t *testing.T) {
	const text = "Sections:\n- {Name: .text.k, Type: SHT_PROGBITS, Content: '00'}\n- {Name: .nv.constant0.k, Type: SHT_PROGBITS, Content: '00'}\n"
	for _, c := range []struct{ sections, want string }{
		{text, ""},
		{text + "- {Name: .nv.global, Type: SHT_NOBITS, Size: 4}\nSymbols:\n- {Name: k, Type: STT_FUNC, Section: .text.k}\n- {Name: hits, Type: STT_OBJECT, Section: .nv.global}\n", "variable hits can be written"},
		{text + "- {Name: .nv.global.init, Type: SHT_PROGBITS, Content: '01'}\n", "variable in section .nv.global.init can be written"},
		{text + "- {Name: .nv.global, Type: SHT_NOBITS, Size: 0}\n", ""},
		{text + "- {Name: .nv.constant4, Type: SHT_PROGBITS, Content: '00'}\n- {Name: .nv.constant2.k, Type: SHT_PROGBITS, Content: '00'}\nSymbols:\n- {Name: k, Type: STT_OBJECT, Section: .nv.constant2.k}\n", ""},
		{text + "- {Name: .nv.constant2, Type: SHT_PROGBITS, Content: '00'}\nSymbols:\n- {Name: c, Type: STT_OBJECT, Section: .nv.constant2}\n", "constant c can be set by the host"},
	} {
		image := cubin(t, c.sections)
		kind, size, err := Extent(imageSource(append(image, "more"...)).fill)
		require.NoError(t, err)
		assert.Equal(t, KindCubin, kind)
		assert.Equal(t, uint64(len(image)), size)
		assert.Equal(t, c.want, Unshareable(KindCubin, image))
		_, err = Parse(image)
		assert.ErrorContains(t, err, "not an AMDGPU code object, but CUDA cubin")
	}
	assert.Equal(t, "variable plain_g can be written", Unshareable(KindCubin, load(t, "variables.cubin")))
	assert.Equal(t, "constant weak_c can be set by the host", Unshareable(KindCubin, bytes.ReplaceAll(load(t, "variables.cubin"), []byte(".nv.global.init"), []byte(".nv.other.global"[:15]))))
	image := cubin(t, text)
	clear(image[60:64]) // no sections
	assert.Contains(t, Unshareable(KindCubin, image), "not known")
}

func TestUnshareableFatbins(t *testing.T) {
	clean := fatbinPart{kind: 1, contents: []byte(".version 7.0\n.entry k() {}\x00")}
	dirty := fatbinPart{kind: 1, contents: load(t, "globals.ptx")}
	// LZ4: literals ".global .u32 x", a match of 4 at distance 14 (".glo"), then the end.
	packed := fatbinPart{kind: 1, flags: fatbinLZ4, unpacked: 14 + 4 + 5, contents: []byte("\xe0.global .u32 x\x0e\x00\x50;abcd")}
	zstd := fatbinPart{kind: 2, flags: 0x8000, contents: []byte{1}}
	assert.Empty(t, Unshareable(KindFatbin, fatbin(clean, clean)))
	assert.Equal(t, "variable counter can be written", Unshareable(KindFatbin, fatbin(clean, dirty)))
	assert.Contains(t, Unshareable(KindFatbin, fatbin(packed)), "can be written")
	assert.Contains(t, Unshareable(KindFatbin, fatbin(clean, zstd)), "entry 1: compressed in a way (flags 0x8000)")
	assert.Contains(t, Unshareable(KindFatbin, fatbin(fatbinPart{kind: 7})), "kind 7 is not known")
	whole := fatbin(clean)
	for n := range whole {
		assert.Contains(t, Unshareable(KindFatbin, whole[:n]), "not known", "cut at %d", n)
	}
}

func TestUnpackLZ4(t *testing.T) {
	long := strings.Repeat("a", 300)
	for _, c := range []struct{ packed, want string }{
		{"", ""},
		{"\x30abc", "abc"},
		{"\x1fa\x01\x00\xff\x19\x10a", "a" + long[:4+15+255+25] + "a"},
		{"\xf0\x05" + long[:20], long[:20]},
	} {
		got, err := unpackLZ4([]byte(c.packed), uint64(len(c.want)))
		require.NoError(t, err)
		assert.Equal(t, c.want, string(got))
	}
	for _, c := range []struct {
		packed string
		size   uint64
	}{
		{"\x30ab", 3}, {"\x30abc", 2}, {"\x30abc", 4}, {"\x10a\x02\x00", 5}, {"\x10a\x00\x00", 5}, {"\x10a\x01", 5},
		{"\xf0\xff\xff", 600}, {"\x1fa\x01\x00\xff", 600}, {"\x10a", 1 << 40},
	} {
		_, err := unpackLZ4([]byte(c.packed), c.size)
		assert.Error(t, err, "%q to %d", c.packed, c.size)
	}
}
