package main

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/npy"
)

// launched is what mgpu launch does with arguments.
func launched(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	t.Setenv("MGPU_DRIVER", "soft")
	var out, errors bytes.Buffer
	c := launchCommand()
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&errors)
	c.SilenceUsage, c.SilenceErrors = true, true
	err = c.Execute()
	return out.String(), errors.String(), err
}

func written(t *testing.T, name, element string, shape []uint64, values any) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, binary.Write(&b, binary.LittleEndian, values))
	file, err := os.Create(filepath.Join(t.TempDir(), name))
	require.NoError(t, err)
	defer file.Close()
	require.NoError(t, (&npy.Array{Element: element, Shape: shape, Bytes: b.Bytes()}).Write(file))
	return file.Name()
}

func TestAKernelIsLaunchedWithArrays(t *testing.T) {
	x := written(t, "x.npy", "f4", []uint64{5}, []float32{1, 2, 3, 4, 5})
	y := written(t, "y.npy", "f4", []uint64{5}, []float32{10, 20, 30, 40, 50})
	saxpy := func(more ...string) []string {
		return append([]string{objects + "v5.hsaco", "saxpy", "--block=64", "--shared=4"}, more...)
	}
	out, _, err := launched(t, saxpy("--arg=inout:"+y+":-", "--arg=in:"+x, "--arg=f32:2", "--arg=i32:5", "--arg=u32:0")...)
	require.NoError(t, err)
	assert.Equal(t, "12 28 48 72 60\n", out, "y + 2 x, times 1 2 3 4 1")

	file := filepath.Join(t.TempDir(), "out.npy")
	_, said, err := launched(t, saxpy("--arg=inout:"+y+":"+file, "--arg=in:"+x, "--arg=f32:1", "--arg=i32:5", "--arg=u32:0", "--repeat=3", "--time")...)
	require.NoError(t, err)
	assert.Regexp(t, `^saxpy: \S+ at best, \S+ median, of 3 launches on .*gfx906`, said)
	f, err := os.Open(file)
	require.NoError(t, err)
	defer f.Close()
	a, err := npy.Read(f, 1<<10)
	require.NoError(t, err)
	assert.Equal(t, "f4", a.Element)
	assert.Equal(t, []uint64{5}, a.Shape)
	got := make([]float32, 5)
	require.NoError(t, binary.Read(bytes.NewReader(a.Bytes), binary.LittleEndian, got))
	assert.Equal(t, []float32{13, 32, 57, 88, 65}, got)
}

func TestTheCheckerWatchesALaunch(t *testing.T) {
	saxpy := []string{objects + "v5.hsaco", "saxpy", "--block=64", "--shared=4", "--arg=tmp:f32[64]", "--arg=tmp:f32[64]", "--arg=f32:2", "--arg=i32:64", "--arg=u32:0"}
	_, said, err := launched(t, append(saxpy, "--check=uninit")...)
	require.ErrorContains(t, err, "kernel saxpy: the checker found something (reports: ")
	assert.Contains(t, said, "mgpu check: uninit: ")
	saxpy[4] = "--arg=tmp:f32[5]"
	_, said, err = launched(t, append(saxpy, "--check=memory")...)
	require.ErrorContains(t, err, ": see the report above")
	assert.Contains(t, said, "past the end of the block of 20 bytes")
}

func TestWhatIsFoundIsReportedWithItsPlace(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.json")
	t.Setenv("GITHUB_WORKSPACE", "/checkout")
	saxpy := []string{objects + "v5.hsaco", "saxpy", "--block=64", "--arg=tmp:f32[64]", "--arg=tmp:f32[5]", "--arg=f32:2", "--arg=i32:64", "--arg=u32:0",
		"--check=memory", "--report=" + file, "--annotate=github"}
	_, said, err := launched(t, saxpy...)
	require.Error(t, err)
	lines, err := os.ReadFile(file)
	require.NoError(t, err)
	var found, failed map[string]any
	objects := strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n")
	require.Len(t, objects, 2)
	require.NoError(t, json.Unmarshal([]byte(objects[0]), &found))
	require.NoError(t, json.Unmarshal([]byte(objects[1]), &failed))
	assert.Equal(t, []any{"check", "memory", "saxpy"}, []any{found["kind"], found["check"], found["kernel"]})
	assert.Equal(t, []any{"error", "launch failure", "saxpy"}, []any{failed["kind"], failed["error"], failed["kernel"]})
	assert.Regexp(t, `(?m)^::error title=mgpu check%3A memory::mgpu check: memory: read of 4 bytes .*in kernel saxpy%0A    at saxpy`, said)
	_, _, err = launched(t, append(saxpy, "--annotate=gitlab")...)
	require.ErrorContains(t, err, "--annotate=gitlab: expected github")
}

func TestWhatALaunchCanNotWriteLeavesWhatWasThere(t *testing.T) {
	x := written(t, "x.npy", "i4", []uint64{64}, make([]int32, 64))
	spilled := func(output string) error {
		_, _, err := launched(t, objects+"v5.hsaco", "spilled", "--arg=inout:"+x+":"+output)
		return err
	}
	require.ErrorContains(t, spilled("/dev/full"), "/dev/full: no space left on device")
	require.ErrorContains(t, spilled(filepath.Join(t.TempDir(), "none", "y.npy")), "no such file or directory")
	require.NoError(t, spilled(x), "the output may be the input")
	link := filepath.Join(t.TempDir(), "link.npy")
	require.NoError(t, os.Symlink(x, link))
	require.ErrorContains(t, spilled(link), "link")
}

func TestLaunchesThatAreRefused(t *testing.T) {
	const v5 = objects + "v5.hsaco"
	image := readImage(t, "v5.hsaco")
	cut, unlinked, far := filepath.Join(t.TempDir(), "cut.hsaco"), filepath.Join(t.TempDir(), "kernel.o"), filepath.Join(t.TempDir(), "far.hsaco")
	require.NoError(t, os.WriteFile(cut, image[:2000], 0o600))
	beyond := bytes.Clone(image)
	binary.LittleEndian.PutUint64(beyond[0x28:], math.MaxUint64-15) // e_shoff
	require.NoError(t, os.WriteFile(far, beyond, 0o600))
	image[0x10] = byte(elf.ET_REL) // e_type
	require.NoError(t, os.WriteFile(unlinked, image, 0o600))
	for why, args := range map[string][]string{
		"no kernel nothing: it has saxpy, sizes, spilled":                     {v5, "nothing"},
		"no code object for gfx942: it has amdgcn-amd-amdhsa--gfx906":         {v5, "saxpy", "--chip=gfx942"},
		"no AMDGPU code object with a kernel in it":                           {"launch_test.go", "saxpy"},
		"cut.hsaco: the file is cut off: it has 2000 bytes of ":               {cut, "saxpy"},
		"far.hsaco: the file is cut off: it has ":                             {far, "saxpy"},
		"kernel.o: ELF header: type ET_REL: a code object is a shared object": {unlinked, "saxpy"},
		"there are gfx900": {forOtherChip(t, objects+"gfx1100.hsaco"), "spilled", "--arg=tmp:i32[64]"},
		"kernel sizes takes 2 arguments, and --arg gives 0: 1: global_buffer, 8 bytes; 2: by_value, 1 byte (the code object has no names; clang keeps them with -fno-discard-value-names)": {v5, "sizes"},
		"argument 2 has 1 byte, and --arg gives 4: 1: global_buffer, 8 bytes": {v5, "sizes", "--arg=tmp:i32[4]", "--arg=i32:1"},
		"--grid=0: expected one to three numbers":                             {v5, "sizes", "--grid=0"},
		"--block=1,2,3,4: expected one to three numbers":                      {v5, "sizes", "--block=1,2,3,4"},
		"--check=x: \"x\" is not one of memory":                               {v5, "sizes", "--check=x"},
		"--chip=gfx1010: no such chip":                                        {v5, "sizes", "--chip=gfx1010"},
		"--repeat=0: expected a number from 1 on":                             {v5, "sizes", "--repeat=0"},
		`--arg f16:1 (argument 1): "f16" is not a kind of argument`:           {v5, "sizes", "--arg=f16:1"},
		`"2x" is not a number of type i32`:                                    {v5, "sizes", "--arg=i32:2x"},
		`"300" is not a number of type u8`:                                    {v5, "sizes", "--arg=u8:300"},
		"expected out:f32[4]:y.npy, with a file":                              {v5, "sizes", "--arg=out:f32[4]"},
		"expected two files, as inout:x.npy:y.npy":                            {v5, "sizes", "--arg=inout:x.npy"},
		`array "f32[4x]"`:                                                     {v5, "sizes", "--arg=tmp:f32[4x]"},
		`array "f32[x4]"`:                                                     {v5, "sizes", "--arg=tmp:f32[x4]"},
		"18446744073709551616 is too long for an array":                       {v5, "sizes", "--arg=tmp:f32[18446744073709551616]"},
		`array "f32"`:                  {v5, "sizes", "--arg=tmp:f32"},
		"at most 2 GiB":                {v5, "sizes", "--arg=tmp:f32[1000000x1000000]"},
		"expected a file, as in:x.npy": {v5, "sizes", "--arg=in:"},
		"argument in:none.npy: none.npy: no such file or directory": {v5, "sizes", "--arg=in:none.npy", "--arg=i8:1"},
		"not a numpy file": {v5, "sizes", "--arg=in:launch_test.go", "--arg=i8:1"},
		"driver cuda: AMD code objects run on hip and soft":                          {v5, "sizes", "--driver=cuda"},
		"--check with driver hip":                                                    {v5, "sizes", "--driver=hip", "--check=memory"},
		"kernel saxpy: workgroups of (32,1,1), but it is compiled for (64,1,1) only": {v5, "saxpy", "--block=32", "--arg=tmp:f32[1]", "--arg=tmp:f32[1]", "--arg=f32:1", "--arg=i32:1", "--arg=u32:0"},
	} {
		_, _, err := launched(t, args...)
		assert.ErrorContains(t, err, why, strings.Join(args, " "))
		if strings.Contains(why, ": expected ") || strings.HasPrefix(why, "--") {
			assert.Equal(t, statusWrongUse, exitStatus(err), why)
		}
	}
}

func TestArgumentsHaveTheNamesOfTheCodeObject(t *testing.T) {
	l := launcher{kernel: &codeobj.Kernel{Name: "scale", Args: []codeobj.Arg{
		{Name: "x", Size: 8, KindName: "global_buffer"}, {Name: "k", Size: 4, KindName: "by_value"},
	}}}
	const described = "x: global_buffer, 8 bytes; k: by_value, 4 bytes"
	require.EqualError(t, l.fits(nil), "kernel scale takes 2 arguments, and --arg gives 0: "+described)
	require.EqualError(t, l.fits([][]byte{make([]byte, 8), make([]byte, 8)}), "kernel scale: argument 2 (k) has 4 bytes, and --arg gives 8: "+described)
}

func TestAMemrefIsItsDescriptor(t *testing.T) {
	v, err := parseArgument("memref-tmp:f32[2x3x4]")
	require.NoError(t, err)
	v.address = 7
	var words []uint64
	for _, w := range v.words() {
		words = append(words, binary.LittleEndian.Uint64(w))
	}
	assert.Equal(t, []uint64{7, 7, 0, 2, 3, 4, 12, 4, 1}, words)
}

func TestNumbersAsKernelsTakeThem(t *testing.T) {
	for text, want := range map[string][]byte{
		"i1:1": {1}, "i8:-1": {0xff}, "u8:255": {0xff}, "i16:-2": {0xfe, 0xff}, "i32:0x10": {16, 0, 0, 0},
		"u64:1": {1, 0, 0, 0, 0, 0, 0, 0}, "f32:1": {0, 0, 0x80, 0x3f}, "f64:1": {0, 0, 0, 0, 0, 0, 0xf0, 0x3f},
	} {
		v, err := parseArgument(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, v.number, text)
	}
}

func TestElementsAsText(t *testing.T) {
	assert.Equal(t, "-1", elementText("i2", []byte{0xff, 0xff}))
	assert.Equal(t, "65535", elementText("u2", []byte{0xff, 0xff}))
	assert.Equal(t, "0.1", elementText("f4", []byte{0xcd, 0xcc, 0xcc, 0x3d}))
	assert.Equal(t, "1", elementText("f8", []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}))
	assert.Equal(t, "0x0000803f00000000", elementText("c8", []byte{0, 0, 0x80, 0x3f, 0, 0, 0, 0}))
	for bits, want := range map[uint16]string{
		0x3c00: "1", 0xbe00: "-1.5", 0x2e66: "0.099976", 0x7bff: "65504", 0xfbff: "-65504", 0x0400: "6.1035e-05", 0x0001: "5.9605e-08",
		0x83ff: "-6.0976e-05", 0: "0", 0x8000: "-0", 0x7c00: "+Inf", 0xfc00: "-Inf", 0x7e00: "NaN", 0xfc01: "NaN",
	} {
		assert.Equal(t, want, elementText("f2", binary.LittleEndian.AppendUint16(nil, bits)))
	}
}

// A file may have a kernel for several chips.
func TestTheCodeObjectIsTheOneForTheChip(t *testing.T) {
	file := filepath.Join(t.TempDir(), "two")
	require.NoError(t, os.WriteFile(file, slices.Concat([]byte("a file of any kind"), readImage(t, "v5.hsaco"), readImage(t, "gfx1100.hsaco")), 0o600))
	for _, c := range []struct{ set, chip, on string }{
		{"", "", "gfx906"}, {"gfx1100", "", "gfx1100"}, {"gfx906:xnack-", "", "gfx906:xnack-"}, {"gfx906", "gfx1100", "gfx1100"},
	} {
		t.Setenv("MGPU_SOFT_CHIP", c.set)
		_, said, err := launched(t, file, "spilled", "--arg=tmp:i32[64]", "--time", "--chip="+c.chip)
		require.NoError(t, err)
		assert.Contains(t, said, " on "+c.on+" (software)\n")
	}
	t.Setenv("MGPU_SOFT_CHIP", "gfx90a")
	_, _, err := launched(t, file, "spilled", "--arg=tmp:i32[64]")
	require.ErrorContains(t, err, "the code object is for gfx906, the device is gfx90a")
}

func TestCompressedBundlesAreNamed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "compressed")
	require.NoError(t, os.WriteFile(file, append([]byte("CCOB\x02\x00\x01\x00\x40\x00\x00\x00"), make([]byte, 52)...), 0o600))
	_, _, err := launched(t, file, "saxpy")
	require.EqualError(t, err, file+": its code objects are in a compressed offload bundle: clang-offload-bundler --unbundle --type=o unpacks it")
}

// forOtherChip is a copy of a code object that says it is for gfx1010, which the software GPU is not.
func forOtherChip(t *testing.T, file string) string {
	t.Helper()
	image, err := os.ReadFile(file)
	require.NoError(t, err)
	image = bytes.ReplaceAll(image, []byte("gfx1100"), []byte("gfx1010"))
	image[0x30] = 0x33 // e_flags: the processor
	other := filepath.Join(t.TempDir(), "gfx1010.hsaco")
	require.NoError(t, os.WriteFile(other, image, 0o600))
	return other
}
