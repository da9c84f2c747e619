package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pages are the documents for people, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("*.md")
	require.NoError(t, err)
	for _, pattern := range []string{"docs/*.md", "bench/*.md"} {
		more, err := filepath.Glob(pattern)
		require.NoError(t, err)
		paths = append(paths, more...)
	}
	texts := map[string]string{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		texts[path] = string(text)
	}
	require.Contains(t, texts, "README.md")
	return texts
}

// What a stranger reads first fits a few screens and a terminal.
func TestTheReadmeIsShort(t *testing.T) {
	lines := strings.Split(strings.TrimSuffix(pages(t)["README.md"], "\n"), "\n")
	assert.LessOrEqual(t, len(lines), 150)
	for i, line := range lines {
		assert.LessOrEqual(t, len([]rune(line)), 135, "line %d", i+1)
	}
}

func TestLinksInTheDocumentsLeadSomewhere(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], "://") {
				assert.FileExists(t, filepath.Join(filepath.Dir(page), m[1]), page)
			}
		}
	}
}

// otherNames are what only tests read, and the documents' own examples.
var otherNames = []string{"MGPU_TEST_LONG", "MGPU_RANDOM_SEED", "MGPU_CAHCE", "mgpuName"}

func TestTheDocumentsNameWhatIsThere(t *testing.T) {
	header, err := os.ReadFile("include/mgpu_runtime.h")
	require.NoError(t, err)
	setting, function := regexp.MustCompile(`\bMGPU_[A-Z_]+\b`), regexp.MustCompile(`\bmgpux?[A-Z]\w+`)
	file := regexp.MustCompile("`((?:docs|scripts|bench|test|internal|include|cmd)/[\\w./-]+)`")
	for page, text := range pages(t) {
		for _, name := range setting.FindAllString(text, -1) {
			assert.True(t, settings.Find(name) != nil || slices.Contains(otherNames, name), "%s: %s is no setting", page, name)
		}
		for _, name := range function.FindAllString(text, -1) {
			assert.True(t, bytes.Contains(header, []byte(name)) || slices.Contains(otherNames, name), "%s: no function %s", page, name)
		}
		for _, m := range file.FindAllStringSubmatch(text, -1) {
			place := regexp.MustCompile(`\w*[A-Z]{4,}.*`).ReplaceAllString(m[1], "") // NAME.mlir is anything
			matches, err := filepath.Glob(place + "*")
			assert.NoError(t, err)
			assert.NotEmpty(t, matches, "%s: %s", page, m[1])
		}
	}
}

func TestMakeHasTheTargetsThatTheDocumentsName(t *testing.T) {
	command := regexp.MustCompile("(?m)(?:^    |`)make ([a-z][a-z-]*)")
	var rules strings.Builder
	for _, file := range []string{"Makefile", "build.mk", "test/hip/build.mk"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		rules.Write(text)
	}
	named := 0
	for page, text := range pages(t) {
		for _, m := range command.FindAllStringSubmatch(text, -1) {
			named++
			assert.Regexp(t, `(?m)^`+m[1]+`:`, rules.String(), page)
		}
	}
	assert.Greater(t, named, 5)
}
