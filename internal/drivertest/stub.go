package drivertest

import (
	"os/exec"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"
)

// Stub builds testdata/stub.c, a vendor's library in which nothing happens, with
// options of the compiler's that say what it lacks or does wrongly.
func Stub(t testing.TB, options ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "libstub.so")
	line := append([]string{"-std=gnu11", "-w", "-shared", "-fPIC", "-o", path, "testdata/stub.c"}, options...)
	out, err := exec.Command("cc", line...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return path
}

// EveryEntryIsThere checks that a vendor's table of C functions lacks none. d is the
// vendor.Driver over it.
func EveryEntryIsThere(t testing.TB, d any) {
	t.Helper()
	table := reflect.ValueOf(d).Elem().FieldByName("v").Elem()
	calls := 0
	for i := range table.NumField() {
		name, entry := table.Type().Field(i).Name, table.Field(i)
		if entry.Kind() == reflect.Struct {
			entry = entry.FieldByName("call")
		}
		if entry.IsValid() && entry.Kind() == reflect.Pointer {
			require.False(t, entry.IsNil(), "the table has no %s", name)
			calls++
		}
	}
	require.Greater(t, calls, 40)
}
