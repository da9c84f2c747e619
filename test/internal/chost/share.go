package chost

import (
	"hash/fnv"
	"os"
)

// Long says whether MGPU_TEST_LONG asks for all cases of tests with very many.
func Long() bool { return os.Getenv("MGPU_TEST_LONG") != "" }

// Chosen says whether a case runs: one in n does without MGPU_TEST_LONG, always the
// same ones, spread over the cases by their names.
func Chosen(n uint32, name string) bool {
	h := fnv.New32a()
	h.Write([]byte(name))
	return Long() || h.Sum32()%n == 0
}
