package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

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
