package main

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestTheCommandsOfThePagesExist parses each command line of this command in the documents: in lines of code, and in backquotes.
func TestTheCommandsOfThePagesExist(t *testing.T) {
	var pages []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/gallery/*/*.md", "bench/*.md", "softgpu/*.md", "test/*.md"} {
		found, err := filepath.Glob("../../" + pattern)
		require.NoError(t, err)
		pages = append(pages, found...)
	}
	command := regexp.MustCompile("(?m)(?:`|^    (?:\\$ )?(?:.*(?:&&|;|\\|) )?)(?:\\w+=(?:'[^']*'|\"[^\"]*\"|\\S*)\\s+)*(?:build/)?mgpu\\s([^`\n]*)")
	token := regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	placeholder := regexp.MustCompile(`^(|.*=)N$`)
	reports := []string{"check", "statistics"} // the words of lines that begin with "mgpu"
	seen := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range command.FindAllStringSubmatch(string(text), -1) {
			var args []string
			for _, word := range token.FindAllString(m[1], -1) {
				if strings.HasPrefix(word, "#") || slices.Contains([]string{"&&", "|", ";", ">", "2>&1", "or:"}, word) {
					break
				}
				args = append(args, placeholder.ReplaceAllString(strings.Trim(word, `'";[]`), "${1}1"))
			}
			if len(args) == 0 || !regexp.MustCompile(`^[a-z-]+$`).MatchString(args[0]) || slices.Contains(reports, args[0]) {
				continue
			}
			root := rootCommand()
			root.InitDefaultVersionFlag()
			root.SetOut(io.Discard)
			sub, rest, err := root.Find(args)
			if !assert.NoError(t, err, "%s: mgpu %s", page, m[1]) {
				continue
			}
			seen++
			assert.True(t, sub != root || strings.HasPrefix(args[0], "-"), "%s: mgpu %s: unknown command", page, m[1])
			if err := sub.ParseFlags(rest); err != pflag.ErrHelp && !errors.As(err, new(*pflag.ValueRequiredError)) { // prose names flags alone
				assert.NoError(t, err, "%s: mgpu %s", page, m[1])
			}
		}
	}
	assert.Greater(t, seen, 60)
}
