package policy

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var (
	anInterface = regexp.MustCompile(`(?m)^type (\w+) interface`)
	anAssertion = regexp.MustCompile(`\.\(driver\.(\w+)\)`)
)

func TestEveryOptionalInterfaceOfDriversIsAPower(t *testing.T) {
	t.Chdir(root)
	var names []string
	for _, p := range driver.Powers {
		names = append(names, p.Name)
	}
	require.True(t, slices.IsSorted(names), "in the order of their names")
	declared := map[string]bool{}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text := source(t, path)
		for _, m := range anAssertion.FindAllStringSubmatch(text, -1) {
			assert.Contains(t, names, m[1], "%s asserts it: mgpu/driver/powers.go needs a row", path)
		}
		if filepath.Dir(path) == filepath.Join("mgpu", "driver") {
			for _, m := range anInterface.FindAllStringSubmatch(text, -1) {
				declared[m[1]] = true
			}
		}
		return nil
	}))
	for name := range declared {
		if name != "Driver" {
			assert.Contains(t, names, name, "package driver declares it: mgpu/driver/powers.go needs a row")
		}
	}
	for _, name := range names {
		assert.Contains(t, declared, name, "mgpu/driver/powers.go has a row for it, and package driver declares no such interface")
	}
}
