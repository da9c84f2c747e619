package main

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// compile runs the C compiler in testdata and returns the path of the result.
func compile(t testing.TB, out string, args ...string) string {
	t.Helper()
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("for x86-64 Linux only")
	}
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	out = filepath.Join(t.TempDir(), out)
	cmd := exec.Command(cc, append([]string{"-O1", "-I../..", "-o", out}, args...)...)
	cmd.Dir = "testdata"
	text, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	return out
}

// linked is a small library as the linker leaves it.
func linked(t testing.TB, args ...string) []byte {
	t.Helper()
	path := compile(t, "linked.so", append([]string{"-shared", "-fPIC", "-fvisibility=hidden", "-Wl,-z,now", "-Wl,-z,relro",
		"-Wl,--build-id=sha1", "go.S", "library.c"}, args...)...)
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	return data
}

// host runs testdata/host.c with a library.
func host(t *testing.T, library []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "library.so")
	require.NoError(t, os.WriteFile(path, library, 0o644))
	return output(t, compile(t, "host", "host.c", "-ldl"), path)
}

func output(t *testing.T, program string, args ...string) string {
	t.Helper()
	out, err := exec.Command(program, args...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

// relocations counts those that the loader sees.
func relocations(t *testing.T, library []byte) int {
	t.Helper()
	f, err := elf.NewFile(bytes.NewReader(library))
	require.NoError(t, err)
	size, err := f.DynValue(elf.DT_RELASZ)
	require.NoError(t, err)
	require.Equal(t, f.Section(".rela.dyn").Size, size[0])
	return int(size[0] / relocationSize)
}

func TestGoDataIsRelocatedWhenAskedAndCDataWhenLoaded(t *testing.T) {
	before := linked(t)
	require.Equal(t, "of C\n2049\napplied\napplied\n2049\nr--p\n", host(t, before))
	n := relocations(t, before)
	after, err := delayed(bytes.Clone(before))
	require.NoError(t, err)
	require.Equal(t, n-2050, relocations(t, after))
	require.Equal(t, "of C\n0\napplied\napplied\n2049\nr--p\n", host(t, after))
}

func TestStrippingAgainKeepsTheRelocations(t *testing.T) {
	after, err := delayed(linked(t))
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "stripped.so")
	require.NoError(t, os.WriteFile(path, after, 0o644))
	strip, err := exec.LookPath("strip")
	if err != nil {
		t.Skip("no strip")
	}
	require.Empty(t, output(t, strip, "-s", path))
	stripped, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "of C\n0\napplied\napplied\n2049\nr--p\n", host(t, stripped))
}

func TestOverwrittenRelocationsAreRefused(t *testing.T) {
	after, err := delayed(linked(t))
	require.NoError(t, err)
	f, err := elf.NewFile(bytes.NewReader(after))
	require.NoError(t, err)
	late := f.Section(lateName)
	copy(after[late.Offset+late.Size-relocationSize:][:relocationSize], "XXXXXXXXXXXXXXXXXXXXXXXX")
	const why = "damaged library: its relocations are overwritten\n"
	require.Equal(t, "of C\n0\n"+why+why+"0\nr--p\n", host(t, after))
}

func TestResultIsStrippedAndOfItsInputOnly(t *testing.T) {
	before := linked(t)
	after, err := delayed(bytes.Clone(before))
	require.NoError(t, err)
	again, err := delayed(bytes.Clone(before))
	require.NoError(t, err)
	require.Equal(t, after, again)
	f, err := elf.NewFile(bytes.NewReader(after))
	require.NoError(t, err)
	require.Nil(t, f.Section(".symtab"))
	require.Nil(t, f.Section(".strtab"))
	require.Less(t, len(after), len(before))
	old, err := elf.NewFile(bytes.NewReader(before))
	require.NoError(t, err)
	id := func(f *elf.File) []byte {
		b, err := f.Section(".note.gnu.build-id").Data()
		require.NoError(t, err)
		return b
	}
	require.NotEqual(t, id(old), id(f))
	symbols, err := f.DynamicSymbols()
	require.NoError(t, err)
	want, err := old.DynamicSymbols()
	require.NoError(t, err)
	require.Equal(t, want, symbols)
}

func TestWhatCannotBeDelayedIsRefused(t *testing.T) {
	good := linked(t)
	after, err := delayed(bytes.Clone(good))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"empty":             {nil, "EOF"},
		"no ELF file":       {make([]byte, 100), "bad magic number"},
		"symbols gone":      {after, "no symbol section"},
		"another's library": {linked(t, "-DFOREIGN"), "intruder of library.c lies within Go's data"},
		"not started late":  {bytes.ReplaceAll(good, []byte("mgpu_late_entry.ptr"), []byte("mgpu_other_entry.pt")), "not linked with -E=mgpu_late_entry"},
		"without the range": {bytes.ReplaceAll(good, []byte("runtime.etypes"), []byte("runtime.Etypes")), "0 definitions of runtime.etypes"},
		"without the table": {bytes.ReplaceAll(good, []byte("mgpu_late_relocations"), []byte("mgpu_1ate_relocations")), "0 definitions of mgpu_late_relocations"},
	} {
		_, err := delayed(bytes.Clone(c.data))
		require.ErrorContains(t, err, c.says, name)
	}
}

// No bytes make it panic; what it accepts is an ELF file again.
func FuzzDelayed(f *testing.F) {
	good := linked(f)
	f.Add(good)
	for at := 0; at < len(good); at += len(good) / 64 {
		bad := bytes.Clone(good)
		bad[at] ^= 0xff
		f.Add(bad)
		f.Add(good[:at])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		out, err := delayed(bytes.Clone(data))
		if err != nil {
			return
		}
		_, err = elf.NewFile(bytes.NewReader(out))
		require.NoError(t, err)
	})
}
