package model

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func read(t *testing.T, patterns ...string) (text string) {
	for _, pattern := range patterns {
		files, err := filepath.Glob(filepath.Join(chost.Root(), pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, f := range files {
			s, err := os.ReadFile(f)
			require.NoError(t, err)
			text += string(s)
		}
	}
	return text
}

// Each part of a model says in a comment which functions it is a model of. These exist, and
// the text of streampool.Submission names the model's parts.
func TestModelsAndCodeNameEachOther(t *testing.T) {
	code := read(t, "streampool/*.go", "internal/fastpath/*.[ch]")
	part := regexp.MustCompile(`(?s)/\* ([^/]*?) \*/\n(?:inline|proctype) (\w+)\(`)
	function := regexp.MustCompile(`\bEntry\.([A-Z]\w+)|\b([a-z]+_[a-z_]+)\b`)
	parts := map[string]bool{}
	for _, model := range []string{"submissions.pml", "follow.pml", "destroyed.pml", "progress.pml", "relaunch.pml"} {
		for _, m := range part.FindAllStringSubmatch(read(t, filepath.Join("test/model", model)), -1) {
			for _, f := range function.FindAllStringSubmatch(m[1], -1) {
				defined := regexp.MustCompile(`(?m)^func \(e \*Entry\) ` + f[1] + `\(`)
				if f[1] == "" {
					defined = regexp.MustCompile(`(?m)^(?:HOT |static |inline )*[a-z][\w ]*[ *]` + f[2] + `\(`)
				}
				require.True(t, defined.MatchString(code), "%s: %s is said to be a model of %s", model, m[2], f[0])
				parts[model+m[2]] = true
			}
		}
	}
	require.Greater(t, len(parts), 6)
	text := strings.ReplaceAll(read(t, "streampool/submission.go"), "\n// ", " ")
	list := regexp.MustCompile(`test/model/submissions\.pml, whose inlines have the names of these functions: ([^.]*)\.`).FindStringSubmatch(text)
	require.NotNil(t, list, "streampool/submission.go names the model's parts")
	named := strings.FieldsFunc(list[1], func(r rune) bool { return r != '_' && (r < 'a' || r > 'z') })
	for _, name := range named {
		require.Contains(t, read(t, "test/model/submissions.pml"), "\ninline "+name+"(")
		delete(parts, "submissions.pml"+name)
	}
	for name := range parts {
		require.False(t, strings.HasPrefix(name, "submissions.pml"), "%s is not named in streampool/submission.go", name)
	}
}
