package settings

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/golden"
)

var read = regexp.MustCompile(`\b(?:Getenv|Number|getenv|get|Read)\((?:[\w.]+, )?"(MGPU_\w+)"`)

// The libraries' sources are those of the root directory, the main package of the stand-in for AMD's driver, and where
// settings of one subject are read.
func TestTheTableHasWhatTheLibraryReads(t *testing.T) {
	inSources, inTable := map[string]bool{}, map[string]bool{}
	for _, pattern := range []string{"../../*.go", "../../*.c", "../../softgpu/rocm/kfd/library/*.go", "../../softgpu/settings.go", "../ranks/*.go", "../report/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, f := range files {
			text, err := os.ReadFile(f)
			require.NoError(t, err)
			for _, m := range read.FindAllSubmatch(text, -1) {
				if !strings.HasSuffix(f, "_test.go") && !strings.HasPrefix(string(m[1]), "MGPU_TEST_") { // switches of tests are not settings
					inSources[string(m[1])] = true
				}
			}
		}
	}
	for _, s := range All {
		assert.False(t, inTable[s.Name], "%s is there twice", s.Name)
		inTable[s.Name] = true
		assert.NotEmpty(t, s.Values)
		assert.NotEmpty(t, s.Default)
		assert.NotEmpty(t, s.Meaning)
		assert.NotEmpty(t, s.Cost)
	}
	for name := range inSources {
		assert.True(t, inTable[name], "%s is read, and has no row in All (settings.go)", name)
	}
	for name := range inTable {
		assert.True(t, inSources[name], "%s has a row in All (settings.go), and nothing reads it", name)
	}
}

// mostValues is how many values a cell of the table has; longer lists follow the table.
const mostValues = 6

// markdown is the table as documentation has it, and the lists after the table: values that are too many for a cell, and
// costs.
func markdown() string {
	var table, values, costs strings.Builder
	for _, s := range All {
		listed := strings.Join(marked(s.Values), ", ")
		if len(s.Values) > mostValues {
			fmt.Fprintf(&values, "Values of `%s`: %s. ", s.Name, listed)
			listed = "listed below"
		}
		fmt.Fprintf(&table, "| `%s` | %s. Default: %s | %s |\n", s.Name, listed, s.Default, linked(s.Meaning))
		if s.Cost != "nothing" {
			costs.WriteString(folded(fmt.Sprintf("- `%s`: %s.", s.Name, linked(s.Cost)), "  "))
		}
	}
	return "| variable | values | meaning |\n|---|---|---|\n" + table.String() + "\n" + folded(values.String(), "") + "\nWhat settings cost; the others cost nothing:\n\n" + costs.String()
}

// folded is text in lines of at most 100 columns. All but the first begin with an indent.
func folded(text, indent string) string {
	var b strings.Builder
	column := 0
	for _, word := range strings.Fields(text) {
		if column > 0 && column+1+len(word) > 100 {
			b.WriteString("\n" + indent)
			column = len(indent)
		} else if column > 0 {
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += len(word)
	}
	return b.String() + "\n"
}

func marked(values []string) []string {
	var out []string
	for _, v := range values {
		if text, ok := strings.CutPrefix(v, "<"); ok {
			out = append(out, strings.TrimSuffix(text, ">"))
		} else {
			out = append(out, "`"+v+"`")
		}
	}
	return out
}

// linked makes a link of the page that a text ends with.
func linked(text string) string {
	at := strings.LastIndexByte(text, ' ') + 1
	if page := text[at:]; strings.HasSuffix(page, ".md") {
		return fmt.Sprintf("%s[%s](%s)", text[:at], page, page)
	}
	return text
}

var update = flag.Bool("update", false, "write docs/settings.md")

func TestGoldenDocumentationHasTheTable(t *testing.T) {
	const file = "../../docs/settings.md"
	page, err := os.ReadFile(file)
	require.NoError(t, err)
	generated := regexp.MustCompile(`(?s)(<!-- written by make golden: begin -->\n\n).*(\n<!-- end -->)`)
	require.Regexp(t, generated, string(page))
	page = generated.ReplaceAll(page, []byte("${1}"+strings.ReplaceAll(markdown(), "$", "$$")+"${2}"))
	golden.Check(t, file, string(page), *update, "go test ./internal/settings -run Golden -update")
}

func TestValuesAreChecked(t *testing.T) {
	assert.True(t, Find("MGPU_CACHE").Accepts("off"))
	assert.False(t, Find("MGPU_CACHE").Accepts("no"))
	assert.True(t, Find("MGPU_HIP_LIBRARY").Accepts("/any/path"))
	assert.Nil(t, Find("MGPU_CACHES"))
}

func TestWhatIsToHappenOnAnError(t *testing.T) {
	for text, want := range map[string]OnError{"abort": {Abort: true}, "exit": {Status: 1}, "exit:2": {Status: 2}, "exit:255": {Status: 255}} {
		got, ok := ParseOnError(text)
		require.True(t, ok, text)
		assert.Equal(t, want, got, text)
	}
	for _, text := range []string{"exit:", "exit:0", "exit:256", "exit:-1", "exits", "stop"} {
		_, ok := ParseOnError(text)
		assert.False(t, ok, text)
	}
}

func TestVariablesForTestsAreNoProblems(t *testing.T) {
	assert.Equal(t, []string{"MGPU_GRAPH=on is invalid, and the default is used: expected auto or off",
		"setting MGPU_HOSTCALLS was removed: MGPU_STATS=1 and mgpu inspect name kernels that call the host", "unknown setting MGPU_DRIVE: did you mean MGPU_DRIVER?"},
		Problems([]string{"MGPU_TEST_FASTPATH=off", "MGPU_GRAPH=on", "MGPU_HOSTCALLS=warn", "MGPU_DRIVE=soft", "HOME=/"}))
}

func TestSimilarNamesAreFound(t *testing.T) {
	for name, want := range map[string]string{
		"MGPU_CACHES": "MGPU_CACHE", "MGPU_DRVER": "MGPU_DRIVER", "MGPU_SOFT_TIMEOTU": "MGPU_SOFT_TIMEOUT", "MGPU_ONERROR": "MGPU_ON_ERROR",
	} {
		require.NotNil(t, Nearest(name), name)
		assert.Equal(t, want, Nearest(name).Name)
	}
	assert.Nil(t, Nearest("MGPU_SOMETHING_ELSE"))
	assert.Equal(t, 3, distance("kitten", "sitting"))
}

func TestSettingsThatNothingObeysInHIPProgramsAreNamed(t *testing.T) {
	assert.Equal(t, []string{"MGPU_CACHE=off", "MGPU_DEVICE=1", "MGPU_DRIVER=cuda", "MGPU_TRACE=t.json", "MGPU_TRACE_LIMIT=1GiB"},
		NotForHIP([]string{"HOME=/", "MGPU_TRACE=t.json", "MGPU_STATS=1", "MGPU_DRIVER=cuda", "MGPU_CACHE=off", "MGPU_DEVICE=1",
			"MGPU_TRACE_LIMIT=1GiB", "MGPU_CAHCE=off", "MGPU_TEST_FASTPATH=off"}))
	assert.Empty(t, NotForHIP([]string{"MGPU_STATS=", "MGPU_TRACE=off", "MGPU_STATS=0", "MGPU_DRIVER=hip", "MGPU_DRIVER=soft", "MGPU_CACHE=on", "MGPU_DEVICE=0",
		"MGPU_SOFT_CHIP=gfx90a", "MGPU_CHECK=race", "MGPU_STATS=s.json", "MGPU_ON_ERROR=exit:3", "MGPU_REPORT=r.json", "MGPU_SOFT_TIMEOUT=9"}))
	for name, values := range idle {
		for _, value := range strings.Fields(values) {
			assert.True(t, Find(name).Accepts(value), name)
		}
	}
	for _, name := range onHIP {
		assert.NotNil(t, Find(name), name)
	}
}
