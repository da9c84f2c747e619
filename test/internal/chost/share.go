package chost

import (
	"hash/fnv"
	"os"
)

// Long reports whether MGPU_TEST_LONG asks for all cases of tests with very many.
func Long() bool { return os.Getenv("MGPU_TEST_LONG") != "" }

// Chosen reports whether a case runs. Without MGPU_TEST_LONG one case in n runs, always the same ones, chosen by their
// names.
func Chosen(n uint32, name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return Long() || h.Sum32()%n == 0
}
