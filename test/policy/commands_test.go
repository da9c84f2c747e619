package policy

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// words splits a command as a shell does that expands nothing. What follows the first command is left out.
func words(command string) (all []string) {
	token := regexp.MustCompile(`(?:'[^']*'|"[^"]*"|[^\s'"])+`)
	for _, word := range token.FindAllString(command, -1) {
		if slices.Contains([]string{"&&", "||", "|", ";", ">", "<", "2>&1"}, word) || strings.HasPrefix(word, "#") {
			break
		}
		all = append(all, regexp.MustCompile(`'([^']*)'|"([^"]*)"`).ReplaceAllString(word, "$1$2"))
	}
	return all
}

// commands are the commands of a page that begin with a name, with their variables: those in lines of code, and in backquotes.
func commands(text, name string) (all [][]string) {
	start := `((?:\w+=(?:'[^']*'|"[^"]*"|\S*)\s+)*` + name
	inline := regexp.MustCompile("`" + start + "[^`]*)`")
	line := regexp.MustCompile(`(?m)^    (?:\$ )?(?:.*(?:&&|;) )?` + start + `.*)$`)
	for _, m := range append(inline.FindAllStringSubmatch(text, -1), line.FindAllStringSubmatch(text, -1)...) {
		all = append(all, words(m[1]))
	}
	return all
}

// flag returns the value of a flag of a command, "" if it has none.
func flag(command []string, name string) string {
	for i, word := range command {
		if value, ok := strings.CutPrefix(word, name+"="); ok {
			return value
		}
		if word == name && i+1 < len(command) {
			return command[i+1]
		}
	}
	return ""
}

// TestTheDocumentsNameGosTestsThatAreThere wants the packages of each "go test", and a test for each pattern.
func TestTheDocumentsNameGosTestsThatAreThere(t *testing.T) {
	t.Chdir(root)
	known := packages(t)
	found := 0
	for page, text := range pages(t) {
		for _, command := range commands(text, `go test\s`) {
			said := page + ": " + strings.Join(command, " ")
			var source strings.Builder
			for _, word := range command {
				if word != "./..." && !regexp.MustCompile(`^\./[\w/.]+$`).MatchString(word) {
					continue
				}
				in, below := strings.CutSuffix(strings.TrimPrefix(word, "./"), "...")
				in = strings.TrimSuffix(in, "/")
				some := false
				for path := range known {
					if path == in || below && (in == "" || strings.HasPrefix(path, in+"/")) {
						some = true
						files, err := filepath.Glob(filepath.Join(path, "*_test.go"))
						require.NoError(t, err)
						for _, file := range files {
							text, err := os.ReadFile(file)
							require.NoError(t, err)
							source.Write(text)
						}
					}
				}
				assert.True(t, some, "%s: no package %s", said, word)
			}
			for name, kind := range map[string]string{"-run": "Test|Fuzz", "-bench": "Benchmark", "-fuzz": "Fuzz"} {
				pattern, _, _ := strings.Cut(flag(command, name), "/")
				if pattern == "" || pattern == "^$" || strings.ToUpper(pattern) == pattern { // NAME is anything
					continue
				}
				found++
				wanted, err := regexp.Compile(pattern)
				require.NoError(t, err, said)
				some := false
				for _, m := range regexp.MustCompile(`(?m)^func ((?:`+kind+`)\w*)\(`).FindAllStringSubmatch(source.String(), -1) {
					some = some || wanted.MatchString(m[1])
				}
				assert.True(t, some, "%s: nothing is called %s", said, pattern)
			}
		}
	}
	assert.Greater(t, found, 15)
}

// TestScriptsAreCalledAsTheyCanBe wants each script to be there, to know the variables that are set for it, and suites to
// have the tests that scripts/test-suites is asked for.
func TestScriptsAreCalledAsTheyCanBe(t *testing.T) {
	t.Chdir(root)
	suites, found := map[string]string{}, 0
	text, err := os.ReadFile("scripts/test-suites")
	require.NoError(t, err)
	for _, m := range regexp.MustCompile(`(?m)^(\w+)\)\s+suites=.* names='([^']*)'`).FindAllStringSubmatch(string(text), -1) {
		suites[m[1]] = m[2]
	}
	require.Len(t, suites, 3)
	for page, text := range pages(t) {
		for _, command := range commands(text, `scripts/\w`) {
			found++
			said := page + ": " + strings.Join(command, " ")
			at := slices.IndexFunc(command, func(word string) bool { return strings.HasPrefix(word, "scripts/") })
			info, err := os.Stat(command[at])
			if !assert.NoError(t, err, said) {
				continue
			}
			assert.NotZero(t, info.Mode()&0o100, said)
			script, err := os.ReadFile(command[at])
			require.NoError(t, err)
			suite := "experimental"
			for _, variable := range command[:at] {
				name, value, _ := strings.Cut(variable, "=")
				if name == "SUITE" {
					suite = value
				}
				assert.True(t, strings.HasPrefix(name, "MGPU_") || slices.Contains([]string{"GTEST_FILTER", "UT_MIN_GPUS", "UT_PROCESS_MASK"}, name) ||
					regexp.MustCompile(`\b`+name+`\b`).Match(script), "%s: the script reads no %s", said, name)
			}
			if command[at] == "scripts/test-suites" {
				for _, name := range command[at+1:] {
					assert.Contains(t, append(strings.Fields(suites[suite]), "NAME"), name, said)
				}
			}
		}
	}
	assert.Greater(t, found, 20)
}
