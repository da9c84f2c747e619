package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

const objects = "../../internal/codeobj/testdata/"

func describe(t *testing.T, file string, disassemble bool) string {
	t.Helper()
	var out strings.Builder
	require.NoError(t, inspectFile(&out, objects+file, shown{text: disassemble}))
	return out.String()
}

func TestKernelsAndTheirNeeds(t *testing.T) {
	out := describe(t, "v4.hsaco", false)
	assert.Contains(t, out, "target: amdgcn-amd-amdhsa--gfx906, code object version 4")
	assert.Regexp(t, `(?m)^saxpy +5 +28 .* 64$`, out)
	assert.Contains(t, out, "shared between loads: yes")
	assert.NotContains(t, out, "s_endpgm")
}

func TestKernelsThatCallTheHostAreMarked(t *testing.T) {
	out := describe(t, "hostcall.hsaco", false)
	assert.Regexp(t, `(?m)^asks .* yes +\d+$`, out)
	assert.Regexp(t, `(?m)^may .* maybe +\d+$`, out)
}

func TestDisassemblyNamesKernels(t *testing.T) {
	assert.Regexp(t, `(?s)saxpy:\n.*s_endpgm`, describe(t, "v5.hsaco", true))
}

func TestWhyAModuleIsNotShared(t *testing.T) {
	assert.Contains(t, describe(t, "globals.hsaco", false), "no, variable counter")
}

// TestPaddingIsNotMissed: linkers fill memory after code for RDNA with s_code_end.
func TestPaddingIsNotMissed(t *testing.T) {
	assert.NotContains(t, describe(t, "gfx1100.hsaco", false), "software GPU: ")
}

func TestInstructionsThatDoNotExecuteAreCounted(t *testing.T) {
	var out strings.Builder
	text := []softgpu.Instruction{{Name: "ds_ordered_count"}, {Name: "s_nop", Executable: true}, {Name: "ds_ordered_count"}}
	listText(&out, &codeobj.Object{}, slices.Values(text), false)
	assert.Equal(t, "software GPU: does not execute ds_ordered_count (2 times)\n", out.String())
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	for _, text := range []string{"", "h", "hello", ".versio", "\x7fELF"} {
		require.Error(t, inspect(io.Discard, "x", strings.NewReader(text), shown{}), text)
	}
	require.EqualError(t, inspect(io.Discard, "x", strings.NewReader(""), shown{}), "the file is empty")
}

func TestTextsNeedNoNUL(t *testing.T) {
	assert.Contains(t, describe(t, "globals.ptx", false), "PTX, ")
}

func TestFilesCutAnywhereAreRefused(t *testing.T) {
	for name, image := range seeds(t) {
		if strings.HasSuffix(name, ".ptx") {
			continue // a text is one wherever it ends
		}
		require.NoError(t, inspect(io.Discard, name, bytes.NewReader(image), shown{}), name)
		for cut := range len(image) {
			if cut > 1000 && cut%97 != 0 && cut < len(image)-3 {
				continue
			}
			require.Error(t, inspect(io.Discard, name, bytes.NewReader(image[:cut]), shown{}), "%s, %d bytes", name, cut)
		}
	}
	err := inspect(io.Discard, "x", bytes.NewReader(bundle(readImage(t, "v5.hsaco"))[:200]), shown{})
	require.ErrorContains(t, err, "offload bundle of ")
	require.ErrorContains(t, err, " bytes by its headers: the file ends at byte 200")
}

// endless begins with an image and goes on for ever.
func endless(image []byte) io.Reader { return io.MultiReader(bytes.NewReader(image), zeros{}) }

type zeros struct{}

func (zeros) Read(b []byte) (int, error) {
	clear(b)
	return len(b), nil
}

func TestFilesWithoutAnEndAreReadAsFarAsTheyMatter(t *testing.T) {
	require.ErrorContains(t, inspectFile(io.Discard, "/dev/zero", shown{}), "is a device, not a file")
	for name, image := range seeds(t) {
		var whole, out strings.Builder
		require.NoError(t, inspect(&whole, name, bytes.NewReader(image), shown{text: true}))
		require.NoError(t, inspect(&out, name, endless(image), shown{text: true}))
		require.Equal(t, whole.String(), out.String(), name)
	}
	far := readImage(t, "v5.hsaco")
	binary.LittleEndian.PutUint64(far[40:], 1<<62) // where the section table is
	require.ErrorContains(t, inspect(io.Discard, "far", endless(far), shown{}), "beyond 2 GiB")
}

func TestCodeWithinProgramsIsFound(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	dir := t.TempDir()
	packed := filepath.Join(dir, "packed")
	require.NoError(t, os.WriteFile(packed, bundle(readImage(t, "v5.hsaco")), 0o644))
	program := filepath.Join(dir, "prog")
	build(t, cc, `__asm__(".section .hip_fatbin,\"a\"\n.p2align 12\n.incbin \"`+packed+`\"\n.text"); int main(void) { return 0; }`, "-o", program)
	var out strings.Builder
	require.NoError(t, inspectFile(&out, program, shown{}))
	assert.Regexp(t, `(?m)^.*/prog, byte \d+ \(\.hip_fatbin\): offload bundle, \d+ bytes$`, out.String())
	assert.Contains(t, out.String(), "\nentry hipv4-amdgcn-amd-amdhsa--gfx906: AMDGPU code object, ")
	assert.Regexp(t, `(?m)^saxpy +5 `, out.String())

	text := filepath.Join(dir, "a.mlir")
	require.NoError(t, os.WriteFile(text, []byte("module {\n  gpu.binary @a [#gpu.object<#nvvm.target, \"//\\0A.version 8.0\\0A.target sm_90\\0A.address_size 64\\0A\">]\n}\n"), 0o644))
	out.Reset()
	require.NoError(t, inspectFile(&out, text, shown{}))
	assert.Contains(t, out.String(), "a.mlir, line 2: PTX, ")
	require.NoError(t, os.WriteFile(text, []byte("module {}\n"), 0o644))
	require.ErrorContains(t, inspectFile(io.Discard, text, shown{}), "not a code object, but MLIR as text: ")
}

// FuzzInspect looks for crashes and hangs.
func FuzzInspect(f *testing.F) {
	for _, image := range seeds(f) {
		f.Add(image)
	}
	f.Fuzz(func(t *testing.T, image []byte) {
		_ = inspect(io.Discard, "fuzzed", bytes.NewReader(image), shown{text: true})
	})
}

// seeds are images of all kinds, by name.
func seeds(t testing.TB) map[string][]byte {
	t.Helper()
	paths, err := filepath.Glob(objects + "*.hsaco")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	all := map[string][]byte{}
	for _, path := range append(paths, objects+"globals.ptx") {
		name := filepath.Base(path)
		all[name] = readImage(t, name)
	}
	all["bundle"] = bundle(all["v5.hsaco"])
	all["cubin"] = cubin(all["norelro.hsaco"])
	all["fatbin"] = fatbin(all["cubin"])
	return all
}

func readImage(t testing.TB, name string) []byte {
	t.Helper()
	image, err := os.ReadFile(objects + name)
	require.NoError(t, err)
	return image
}

// bundle is an offload bundle with one code object, for gfx906.
func bundle(object []byte) []byte {
	const id = "hipv4-amdgcn-amd-amdhsa--gfx906"
	b := append([]byte("__CLANG_OFFLOAD_BUNDLE__"), 1, 0, 0, 0, 0, 0, 0, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(b)+24+len(id)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(object)))
	b = binary.LittleEndian.AppendUint64(b, uint64(len(id)))
	return append(append(b, id...), object...)
}

// cubin is an object for another machine.
func cubin(object []byte) []byte {
	b := bytes.Clone(object)
	binary.LittleEndian.PutUint16(b[18:], uint16(elf.EM_CUDA))
	return b
}

// fatbin is a fat binary with one cubin, whose length is a multiple of eight.
func fatbin(cubin []byte) []byte {
	entry := make([]byte, 64)
	binary.LittleEndian.PutUint16(entry, 2)
	binary.LittleEndian.PutUint32(entry[4:], uint32(len(entry)))
	binary.LittleEndian.PutUint64(entry[8:], uint64(len(cubin)))
	b := append([]byte("\x50\xed\x55\xba"), 1, 0, 16, 0)
	b = binary.LittleEndian.AppendUint64(b, uint64(len(entry)+len(cubin)))
	return append(append(b, entry...), cubin...)
}

func TestInspectLooksForMissingWaits(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, inspectFile(&out, objects+"v5.hsaco", shown{waits: true}))
	require.Contains(t, out.String(), "missing waits: none found\n")

	// global_load_dword v1, v[2:3], off; v_add_u32_e32 v1, 1, v1; s_endpgm
	var text []byte
	for _, word := range []uint32{0xdc508000, 0x017f0002, 0x68020281, 0xbf810000} {
		text = binary.LittleEndian.AppendUint32(text, word)
	}
	o := &codeobj.Object{Chip: "gfx906", Kernels: []codeobj.Kernel{{Name: "k", Symbol: "k.kd", EntryAddr: 0x100}}}
	o.Text.Addr, o.Text.Bytes = 0x100, text
	out.Reset()
	require.NoError(t, listWaits(&out, o))
	require.Equal(t, "missing wait at k+0x8: v1 is read by `v_add_u32_e32 v1, 1, v1`,\n"+
		"  which `global_load_dword v1, v[2:3], off` at k+0x0 writes: it needs `s_waitcnt vmcnt(0)` in between\n", out.String())

	o.Chip = "gfx700"
	require.ErrorContains(t, listWaits(&out, o), "no such chip")
}
