package main

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestROCmIsTheHIPThatTheProgramAsksForOrTheNewest(t *testing.T) {
	dir := t.TempDir()
	for _, hip := range []string{"libamdhip64.so.5", "libamdhip64.so.6"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, hip), nil, 0o600))
	}
	r, err := findROCm("/bin/true", []string{filepath.Join(dir, "libamdhip64.so.*")})
	require.NoError(t, err)
	assert.Equal(t, &rocm{filepath.Join(dir, "libamdhip64.so.6")}, r)
	assert.Equal(t, map[string]string{"LD_PRELOAD": "/driver.so:/sites.so:/mine.so", "LD_LIBRARY_PATH": "/hip:/other", "MGPU_SOFT_CHIP": "gfx90a"},
		r.environment([]string{"/driver.so", "/sites.so"}, "/hip", "gfx90a", []string{"LD_PRELOAD=/mine.so", "LD_LIBRARY_PATH=/other"}))
	_, err = findROCm("/bin/true", []string{filepath.Join(t.TempDir(), "libamdhip64.so.*")})
	require.ErrorContains(t, err, "no libamdhip64 in ")
}

func TestChipsThatHIPDoesNotKnow(t *testing.T) {
	dir := t.TempDir()
	old, unnamed := filepath.Join(dir, "old.so"), filepath.Join(dir, "unnamed.so")
	build(t, "cc", `const char *const chips[] = {"gfx900", "gfx906", "gfx90a", "gfx1030:wave"};`, "-shared", "-fPIC", "-o", old)
	build(t, "cc", `const char *const chips[] = {"gfx"};`, "-shared", "-fPIC", "-o", unnamed)
	for chip, want := range map[string]bool{"gfx906": true, "gfx906:xnack-": true, "gfx90a:xnack+": true, "gfx1030": true, "gfx103": false, "gfx90": false, "gfx1100": false} {
		assert.Equal(t, want, (&rocm{hip: old}).knows(chip), chip)
		assert.True(t, (&rocm{hip: unnamed}).knows(chip), "no name is to be found")
		assert.True(t, (&rocm{hip: filepath.Join(dir, "none.so")}).knows(chip))
	}
}

func TestHIPNeedsRoomForTemporaryFiles(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, writable(dir))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Empty(t, left)
	require.ErrorContains(t, writable(filepath.Join(dir, "none")), "no such file or directory")
}

// packed builds a program or library with a code object where HIP's compiler puts it.
func packed(t *testing.T, path string, object []byte, flags ...string) {
	t.Helper()
	code := filepath.Join(t.TempDir(), "bundle")
	require.NoError(t, os.WriteFile(code, bundle(object), 0o600))
	build(t, "cc", `__asm__(".section .hip_fatbin,\"a\"\n.balign 4096\n.incbin \"`+code+`\"\n.text\n");
int `+strings.TrimSuffix(filepath.Base(path), ".so")+`(void) { return 0; }
`, append([]string{"-o", path}, flags...)...)
}

func TestCodeThatHIPRefusesIsFoundInAProgramAndItsLibraries(t *testing.T) {
	image := readImage(t, "llvm19.hsaco")
	image[elf.EI_ABIVERSION] = 2 // code object version 4
	good := readImage(t, "v4.hsaco")
	dir := t.TempDir()
	library, other := filepath.Join(dir, "own.so"), filepath.Join(dir, "other.so")
	packed(t, library, image, "-shared", "-fPIC", "-Wl,-soname,own.so")
	build(t, "cc", "int own(void); int other(void) { return own(); }", "-shared", "-fPIC", "-o", other, "-Wl,-soname,other.so", library)
	alone, linked, far := filepath.Join(dir, "main"), filepath.Join(dir, "linked", "main"), filepath.Join(dir, "far", "main")
	for _, folder := range []string{"linked", "far"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o700))
	}
	packed(t, alone, image)
	packed(t, linked, good, "-Wl,--no-as-needed", library, "-Wl,-rpath,$ORIGIN/..")
	packed(t, far, good, "-Wl,--no-as-needed", other, "-Wl,--allow-shlib-undefined")
	old, new := &rocm{hip: "/lib/libamdhip64.so.5.2.21153"}, &rocm{hip: "/lib/libamdhip64.so.5.7.31921"}
	const crashes = " has kernels that HIP 5.2 crashes on when it launches them ("
	for _, c := range []struct {
		program, says string
		env           []string
	}{
		{alone, alone + crashes, nil},
		{linked, filepath.Join(dir, "linked", "..", "own.so") + crashes, nil},
		{far, library + crashes, []string{"LD_LIBRARY_PATH=" + dir}},
	} {
		require.Contains(t, old.refuses(c.program, "gfx906", c.env)+"\n", filepath.Clean(c.says), c.program)
		require.Empty(t, new.refuses(c.program, "gfx906", c.env))
		require.Contains(t, new.refuses(c.program, "gfx90a", c.env), " has code for gfx906 and none for gfx90a: mgpu run --rocm --chip gfx906")
	}
	require.Empty(t, old.refuses(far, "gfx906", nil), "the library is not found")

	constant := filepath.Join(dir, "constant")
	text := "const unsigned char image[] = {"
	for _, b := range image {
		text += fmt.Sprint(b, ",")
	}
	build(t, "cc", text+"}; int main(void) { return image[0] == 0; }", "-o", constant)
	require.Contains(t, old.refuses(constant, "gfx906", nil), constant+crashes)
	require.Empty(t, old.refuses(constant, "gfx90a", nil), "it may not be for this chip")
	require.Empty(t, new.refuses(constant, "gfx906", nil))
}
