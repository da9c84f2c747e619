package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// defines reports whether the text of a file of Go or C defines a function.
func defines(file, text, function string) bool {
	pattern := `(?m)^func (\([^)]*\) )?` + function + `[(\[]`
	if !strings.HasSuffix(file, ".go") {
		pattern = `(?m)^(#define ` + function + `\(|[A-Za-z][^;=\n]*\b` + function + `\()`
	}
	return regexp.MustCompile(pattern).MatchString(text)
}

// The ways of calls are lists: "- `file` `function`, `function`: ...".
func TestTheArchitectureNamesFilesAndTheirFunctions(t *testing.T) {
	t.Chdir(root)
	page, err := os.ReadFile("docs/architecture.md")
	require.NoError(t, err)
	step := regexp.MustCompile("(?m)^- `([^`]+)`((?:,? `\\w+`)+)(?:$|:)")
	quoted := regexp.MustCompile("`([^`\n]+)`")
	steps, functions := step.FindAllSubmatch(page, -1), 0
	for _, s := range steps {
		file := string(s[1])
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, f := range quoted.FindAllSubmatch(s[2], -1) {
			functions++
			assert.True(t, defines(file, string(text), string(f[1])), "%s does not define %s", file, f[1])
		}
	}
	assert.Equal(t, strings.Count(string(page), "\n- "), len(steps), "steps that have not the form of a step")
	assert.Greater(t, functions, 80)
	for _, q := range quoted.FindAllSubmatch(page, -1) {
		if name := string(q[1]); strings.Contains(name, "/") || filepath.Ext(name) == ".c" {
			_, err := os.Stat(name)
			assert.NoError(t, err, name)
		}
	}
}
