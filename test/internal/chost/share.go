package chost

import (
	"hash/fnv"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// shared is the folder of a package's files that Once makes.
var shared string

// Main runs a package's tests, which may call Once. Call it in TestMain.
func Main(m *testing.M) {
	dir, err := os.MkdirTemp("", "shared")
	if err != nil {
		panic(err)
	}
	shared = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

var made sync.Map // of functions that make the files of Once, by name

// Once returns the path of a file that the package's tests share. The first call for a name makes the file by build.
func Once(name string, build func(path string)) string {
	path := filepath.Join(shared, name)
	do, _ := made.LoadOrStore(name, sync.OnceFunc(func() { build(path) }))
	do.(func())()
	return path
}

// Long reports whether MGPU_TEST_LONG asks for all cases of tests with very many.
func Long() bool { return os.Getenv("MGPU_TEST_LONG") != "" }

// Chosen reports whether a case runs. Without MGPU_TEST_LONG one case in n runs, always the same ones, chosen by their
// names.
func Chosen(n uint32, name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return Long() || h.Sum32()%n == 0
}
