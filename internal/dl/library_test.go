package dl_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/dl"
)

// build compiles a library from a line of C.
func build(t *testing.T, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libtried.so")
	cmd := exec.Command("cc", "-shared", "-fPIC", "-o", path, "-x", "c", "-")
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	_, err = in.Write([]byte(source))
	require.NoError(t, err)
	require.NoError(t, in.Close())
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

func TestALibraryIsOpenedAndItsSymbolsAreFound(t *testing.T) {
	path := build(t, "int there = 1; int f(void) { return there; }")
	l, err := dl.Open(path)
	require.NoError(t, err)
	require.Equal(t, path, l.Path())
	require.NotZero(t, l.Symbol("f"))
	require.NotZero(t, l.Symbol("there"))
	require.Zero(t, l.Symbol("g"))
	require.Equal(t, path, dl.Containing(l.Symbol("f")))
	require.Empty(t, dl.Containing(8))
	again, err := dl.Open(path)
	require.NoError(t, err)
	require.False(t, l.LoadedBefore())
	require.True(t, again.LoadedBefore())
}

func TestALinkIsKnownByItsOwnName(t *testing.T) {
	link := filepath.Join(t.TempDir(), "liblink.so")
	require.NoError(t, os.Symlink(build(t, "int f(void) { return 1; }"), link))
	l, err := dl.Open(link)
	require.NoError(t, err)
	require.Equal(t, link, dl.Containing(l.Symbol("f")))
}

// The loader maps such a file, and the process ends at the first access beyond the file's end.
func TestALibraryThatIsCutOffIsRefused(t *testing.T) {
	path := build(t, "int f(void) { return 1; } int big[100000] = {1};")
	info, err := os.Stat(path)
	require.NoError(t, err)
	for size := int64(0); size < info.Size(); size += info.Size() / 50 {
		cut := filepath.Join(t.TempDir(), "libcut.so")
		whole, err := os.ReadFile(path)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(cut, whole[:size], 0o600))
		if _, err = dl.Open(cut); err == nil {
			require.Greater(t, size, int64(400000), "only tables that are not mapped may be missing")
		} else if size > 4096 {
			require.ErrorContains(t, err, "the file is cut off: it has ")
		}
	}
}

func TestALibrarysSymbolsStayItsOwn(t *testing.T) {
	_, err := dl.Open(build(t, "int only_here_3141 = 1;"))
	require.NoError(t, err)
	main, err := dl.Open("libc.so.6")
	require.NoError(t, err)
	require.Zero(t, main.Symbol("only_here_3141"))
	_, err = dl.Open(build(t, "extern int only_here_3141; int f(void) { return only_here_3141; }"))
	require.ErrorContains(t, err, "undefined symbol: only_here_3141", "all of a library is bound when it is opened, and not to another one's")
}

func TestOpenSaysWhyNotWithoutThePath(t *testing.T) {
	text := filepath.Join(t.TempDir(), "notes.so")
	require.NoError(t, os.WriteFile(text, []byte("no library"), 0o600))
	pipe := filepath.Join(t.TempDir(), "pipe.so") // without a writer
	require.NoError(t, syscall.Mkfifo(pipe, 0o600))
	for path, says := range map[string]string{
		"/nowhere/libx.so":      "cannot open shared object file: No such file or directory",
		"libnosuchlibrary.so.7": "cannot open shared object file: No such file or directory",
		text:                    "file too short",
		pipe:                    "it is not a regular file",
		"/dev/zero":             "it is not a regular file",
		t.TempDir() + "/":       "cannot read file data: Is a directory",
		"":                      "no name of a file",
		"a\x00b":                "no name of a file",
	} {
		_, err := dl.Open(path)
		require.EqualError(t, err, says, "%q", path)
	}
}

func TestFirstTakesTheFirstThatIsAccepted(t *testing.T) {
	without, with := build(t, "int f(void) { return 1; }"), build(t, "int wanted(void) { return 1; }")
	wanted := func(l *dl.Library) error {
		_, err := l.Table(dl.Layout{Symbols: []dl.Symbol{{Name: "wanted", Required: true}, {Name: "f"}}, Bytes: 24})
		return err
	}
	l, err := dl.First(slices.Values([]string{"/nowhere/liba.so", without, with}), wanted)
	require.NoError(t, err)
	require.Equal(t, with, l.Path())

	_, err = dl.First(slices.Values([]string{"/nowhere/liba.so", "/nowhere/libb.so", without, "/nowhere/libc.so"}), wanted)
	const gone = "cannot open shared object file: No such file or directory"
	require.EqualError(t, err, "tried /nowhere/liba.so, /nowhere/libb.so ("+gone+"), then "+without+
		" (it has no wanted), then /nowhere/libc.so ("+gone+")")
	_, err = dl.First(slices.Values([]string(nil)), wanted)
	require.EqualError(t, err, "no library to try")
}

func TestStopEndsTheSearch(t *testing.T) {
	var tried []string
	useless := errors.New("of no use")
	a, b := build(t, "int a;"), build(t, "int b;")
	_, err := dl.First(slices.Values([]string{a, b}), func(l *dl.Library) error {
		tried = append(tried, l.Path())
		return dl.Stop(useless)
	})
	require.EqualError(t, err, "tried "+a+" (of no use)")
	require.Equal(t, []string{a}, tried)
	require.NoError(t, dl.Stop(nil))
}

func TestATableHoldsAddressesAndStandIns(t *testing.T) {
	l, err := dl.Open(build(t, "int a(void) { return 1; } int b(void) { return 2; }"))
	require.NoError(t, err)
	head, missing := new(int), new(int)
	table, err := l.Table(dl.Layout{
		Head:    unsafe.Pointer(head),
		Symbols: []dl.Symbol{{Name: "a", Required: true}, {Name: "z"}, {Name: "b"}},
		Missing: unsafe.Pointer(missing),
		Bytes:   5 * 8,
	})
	require.NoError(t, err)
	require.Equal(t, [5]uintptr{uintptr(unsafe.Pointer(head)), l.Symbol("a"), uintptr(unsafe.Pointer(missing)), l.Symbol("b"), 0},
		*(*[5]uintptr)(unsafe.Pointer(table)))
	must := func(names ...string) (of dl.Layout) {
		for _, n := range names {
			of.Symbols = append(of.Symbols, dl.Symbol{Name: n, Required: true})
		}
		return of
	}
	_, err = l.Table(must("a", "x"))
	require.EqualError(t, err, "it has no x")
	_, err = l.Table(must("a", "u", "v", "w", "x", "y"))
	require.EqualError(t, err, "it has no u, no v, no w and 2 more of the 6 functions looked for")
}
