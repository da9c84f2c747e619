package abi

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// lineOf returns the line of a host's source that is marked with a comment.
func lineOf(t *testing.T, source, mark string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("hosts", source))
	require.NoError(t, err)
	for n, line := range strings.Split(string(text), "\n") {
		if strings.Contains(line, "/* "+mark+" */") {
			return fmt.Sprintf("%s:%d", source, n+1)
		}
	}
	require.Fail(t, "no line is marked "+mark)
	return ""
}

func TestWhatIsNeverGivenBackIsReported(t *testing.T) {
	host := linked(t, "leaks.c", "-g")
	for _, driver := range []string{soft, null} {
		for _, cache := range []string{"", "off"} {
			env := []string{driver, "MGPU_CHECK=leak", "MGPU_CACHE=" + cache}
			r := chost.Run(t, env, host, "none")
			require.Equal(t, []string{"mgpu check: leak: everything was given back"}, r.Lines())
			require.Equal(t, "exit 0", r.End)

			r = chost.Run(t, append(env, "MGPU_ON_ERROR=exit:3"), host, "some")
			require.Equal(t, "exit 3", r.End)
			lines := r.Lines()
			require.Len(t, lines, 4, r.Stderr)
			require.Regexp(t, `^mgpu check: leak: 2 blocks of memory, 1024 bytes never freed, the last allocated by mgpu call 5 from \S+\+0x[0-9a-f]+ \(allocate\), .*`+lineOf(t, "leaks.c", "blocks")+`$`, lines[0])
			require.Regexp(t, `^mgpu check: leak: 1 stream never destroyed, created by mgpu call 1 from \S+\+0x[0-9a-f]+ \(main\), .*`+lineOf(t, "leaks.c", "stream")+`$`, lines[1])
			require.Regexp(t, `^mgpu check: leak: 1 event never destroyed, created by mgpu call 2 from .*`+lineOf(t, "leaks.c", "event")+`$`, lines[2])
			require.Regexp(t, `^mgpu check: leak: 1 scope never destroyed, created by mgpu call 6 from .*`+lineOf(t, "leaks.c", "scope")+`$`, lines[3])
		}
	}
	require.NotContains(t, chost.Run(t, []string{soft, "MGPU_CHECK=all", "MGPU_CACHE=on"}, host, "some").Stderr, "leak", "only who asks is told")
}

func TestWorkThatNothingWaitedForIsSaidAtExit(t *testing.T) {
	r := chost.Run(t, []string{soft, "MGPU_CHECK=leak"}, linked(t, "leaks.c", "-g"), "busy")
	require.Equal(t, "exit 0", r.End)
	require.Equal(t, "mgpu check: leak: work that nothing waited for is under way at exit (operations: 1, streams: 1)", r.Lines()[0])
}

func TestStatisticsHaveWhatWasNotGivenBack(t *testing.T) {
	host, dir := linked(t, "leaks.c", "-g"), t.TempDir()
	table, file := filepath.Join(dir, "table"), filepath.Join(dir, "stats.json")
	chost.Run(t, []string{null, "MGPU_CACHE=on", "MGPU_CHECK=leak", "MGPU_STATS=" + table}, host, "some")
	text, err := os.ReadFile(table)
	require.NoError(t, err)
	require.Contains(t, string(text), "\nnot given back: 2 blocks of memory, 1024 bytes never freed, the last allocated by mgpu call 5 from ")
	chost.Run(t, []string{null, "MGPU_CACHE=on", "MGPU_CHECK=leak", "MGPU_STATS=" + file}, host, "some")
	text, err = os.ReadFile(file)
	require.NoError(t, err)
	var stats struct {
		Leaks []struct {
			Kind         string
			Count, Bytes int
		} `json:"not_given_back"`
	}
	require.NoError(t, json.Unmarshal(text, &stats))
	require.Len(t, stats.Leaks, 4)
	require.Equal(t, "stream", stats.Leaks[1].Kind)
}
