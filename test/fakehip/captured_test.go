package fakehip

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// TestCallsBesideACapture makes each call of the ABI while the program captures a stream, and compares what comes of it with
// the table of docs/semantics.md.
func TestCallsBesideACapture(t *testing.T) {
	path := chost.Build(t, "captured", []string{filepath.Join("hosts", "captured.c")},
		append(chost.Linked(chost.Library(t)), "-std=gnu11", Library(t), "-Wl,-rpath,"+filepath.Dir(Library(t)))...)
	page, err := os.ReadFile(filepath.Join(chost.Root(), "docs/semantics.md"))
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "### Each call, while the program captures a stream")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n### ")
	type row struct{ stock, here string }
	rows := map[string]row{}
	for _, m := range regexp.MustCompile(`(?m)^\| (`+"`"+`.*?) \| (.*?) \| (.*) \|$`).FindAllStringSubmatch(table, -1) {
		for _, name := range regexp.MustCompile(`mgpu\w+`).FindAllString(m[1], -1) {
			rows[name] = row{m[2], m[3]}
		}
	}
	header, err := os.ReadFile(filepath.Join(chost.Root(), "include/mgpu_runtime.h"))
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^(?:[\w ]+ \*?)(mgpu[A-Z]\w+)\(`).FindAllStringSubmatch(string(header), -1) {
		assert.Contains(t, rows, m[1], "a row for each call")
	}

	const goesOn, ends = "works, capture goes on\n", "fails, capture ends\n"
	calls := chost.Run(t, nil, path, "names")
	names := strings.Fields(calls.Stdout)
	require.Greater(t, len(names), 18)
	for _, name := range names {
		for _, whose := range []string{"own", "mgpu"} {
			t.Run(name+"/"+whose, func(t *testing.T) {
				t.Parallel()
				run := func(env string) string {
					r := chost.Run(t, []string{env, "MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + Library(t), "FAKEHIP_IGNORE=leak"}, path, filepath.Join(folder(t), "suite.bundle"), name, whose)
					require.Equal(t, "exit 0", r.End, r.Stderr)
					return r.Stdout
				}
				want := goesOn
				if strings.HasPrefix(rows[name].stock, "error") {
					want = ends
				}
				assert.Equal(t, want, run("MGPU_CACHE=off"), "with stock")
				if whose == "mgpu" && strings.Contains(rows[name].here, "Differs") {
					want = goesOn
				}
				assert.Equal(t, want, run(""), "here")
			})
		}
	}
}
