package codeobj

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// hsacos are the code objects of testdata, which make.sh there makes.
var hsacos = []string{
	"v4", "v5", "v6", "gfx90a", "gfx942", "gfx1100", "generic",
	"globals", "constants", "private", "managed", "cuid", "init", "hostcall", "norelro", "llvm16", "llvm19", "linked",
}

func load(t testing.TB, file string) []byte {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	require.NoError(t, err)
	return b
}

func parse(t testing.TB, name string) *Object {
	t.Helper()
	o, err := Parse(load(t, name+".hsaco"))
	require.NoError(t, err)
	return o
}

// tool runs a program of LLVM, or skips the test where it is not installed.
func tool(t *testing.T, name string, args ...string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed", name)
	}
	out, err := exec.Command(path, args...).Output()
	require.NoError(t, err, "%s %v", name, args)
	return string(out)
}

// stripped returns the image without its section headers, as a loader that
// follows program headers only would see it.
func stripped(image []byte) []byte {
	b := append([]byte(nil), image...)
	for _, field := range [][2]int{{40, 48}, {58, 64}} { // e_shoff; e_shentsize, e_shnum, e_shstrndx
		clear(b[field[0]:field[1]])
	}
	return b
}
