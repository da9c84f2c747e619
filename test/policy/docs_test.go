package policy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/include"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// pages are the documents for people, by path.
func pages(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("*.md")
	require.NoError(t, err)
	for _, pattern := range []string{"docs/*.md", "bench/*.md", "test/*.md"} {
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

// The first page fits a few screens and a terminal.
func TestTheReadmeIsShort(t *testing.T) {
	t.Chdir(root)
	lines := strings.Split(strings.TrimSuffix(pages(t)["README.md"], "\n"), "\n")
	assert.LessOrEqual(t, len(lines), 100)
	for i, line := range lines {
		assert.LessOrEqual(t, len([]rune(line)), 135, "line %d", i+1)
	}
}

// Prose of the pages fits a terminal. Tables, code and links to other places may be longer.
func TestPagesFitATerminal(t *testing.T) {
	t.Chdir(root)
	for page, text := range pages(t) {
		if filepath.Dir(page) != "docs" && page != "CONTRIBUTING.md" && page != "RATIONALE.md" {
			continue
		}
		fenced := false
		for i, line := range strings.Split(text, "\n") {
			if strings.HasPrefix(line, "```") {
				fenced = !fenced
			}
			if fenced || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "    ") || !strings.Contains(strings.TrimSpace(line), " ") || strings.Contains(line, "://") {
				continue
			}
			assert.LessOrEqual(t, len([]rune(line)), 100, "%s:%d", page, i+1)
		}
	}
}

// A row of a table can be read without a wider window.
func TestTablesOfPagesHaveThreeColumns(t *testing.T) {
	t.Chdir(root)
	for page, text := range pages(t) {
		for i, line := range strings.Split(text, "\n") {
			if filepath.Dir(page) == "docs" && strings.HasPrefix(line, "|") {
				columns := strings.Count(strings.ReplaceAll(line, `\|`, ""), "|") - 1
				assert.LessOrEqual(t, columns, 3, "%s:%d: a list, or notes after the table", page, i+1)
			}
		}
	}
}

// A line of text beside a row is shown as a part of the table.
func TestTablesHaveEmptyLinesAroundThem(t *testing.T) {
	t.Chdir(root)
	for page, text := range pages(t) {
		lines := strings.Split(text, "\n")
		for i := 1; i < len(lines); i++ {
			row, before := strings.HasPrefix(lines[i], "|"), strings.HasPrefix(lines[i-1], "|")
			assert.False(t, row != before && lines[i] != "" && lines[i-1] != "", "%s:%d: an empty line before %q", page, i+1, lines[i])
		}
	}
}

// What differs from stock has a note that says why and what to do, and what the page calls a test is one.
func TestSemanticsExplainTheirExceptions(t *testing.T) {
	t.Chdir(root)
	for _, section := range strings.Split(pages(t)["docs/semantics.md"], "\n### ") {
		for _, m := range regexp.MustCompile(`(?m)^\|.*: (?:see )?\*([^*]+)\*\. \|$`).FindAllStringSubmatch(section, -1) {
			notes := regexp.MustCompile(`(?mi)^- \*` + regexp.QuoteMeta(m[1]) + `[.,]`)
			assert.Regexp(t, notes, section, "docs/semantics.md: a note on %q after the table", m[1])
		}
		for _, line := range strings.Split(section, "\n") {
			if strings.HasPrefix(line, "|") && strings.Contains(line, "Differs") && !strings.HasPrefix(line, "| `") {
				assert.Regexp(t, `: \*[^*]+\*\. \|$`, line, "docs/semantics.md: name the note that has the reason")
			}
		}
	}
}

// TestTroubleshootingQuotesMessagesThatAreThere looks for what the page quotes in the sources, without addresses, numbers and
// names, which differ.
func TestTroubleshootingQuotesMessagesThatAreThere(t *testing.T) {
	t.Chdir(root)
	others := regexp.MustCompile(`lld|LLVM|unsupported GPU|GLIBC|cannot open shared|pthread_create|Unable to find code`) // of LLVM, the loader, Go and HIP
	out, err := exec.Command("git", "ls-files", "*.go", "*.c", "*.h").Output()
	require.NoError(t, err)
	var sources strings.Builder
	for _, path := range strings.Fields(string(out)) {
		if text, err := os.ReadFile(path); err == nil && !strings.HasPrefix(path, "test/") && !strings.HasSuffix(path, "_test.go") {
			sources.Write(text)
		}
	}
	text := strings.Join(strings.Fields(strings.ReplaceAll(sources.String(), "\"\n", "")), " ")
	found := 0
	varies := regexp.MustCompile(`\.\.\.|0x|\d+|gfx\w+|FILE|[()';]|=\w+|/dev/kfd`)
	for _, entry := range regexp.MustCompile(`(?ms)^- \*\*(.*?)\*\*`).FindAllStringSubmatch(pages(t)["docs/troubleshooting.md"], -1) {
		for _, quoted := range regexp.MustCompile("(?s)`+(.+?)`+").FindAllStringSubmatch(entry[1], -1) {
			if others.MatchString(quoted[1]) || strings.HasPrefix(quoted[1], "-") {
				continue
			}
			for _, part := range varies.Split(strings.Join(strings.Fields(quoted[1]), " "), -1) {
				if part = strings.Trim(part, " :,"); len(part) >= 8 {
					found++
					assert.True(t, strings.Contains(text, part), "docs/troubleshooting.md quotes %q, and no source has %q", quoted[1], part)
				}
			}
		}
	}
	assert.Greater(t, found, 25)
}

func TestTheDocumentsNameTestsThatAreThere(t *testing.T) {
	t.Chdir(root)
	tests := map[string]bool{}
	function := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	require.NoError(t, filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() && path == "build" {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range function.FindAllSubmatch(text, -1) {
			tests[string(m[1])] = true
		}
		return err
	}))
	for page, text := range pages(t) {
		for _, m := range regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllStringSubmatch(text, -1) {
			assert.True(t, tests[m[1]], "%s: no test %s", page, m[1])
		}
	}
}

func TestLinksInTheDocumentsLeadSomewhere(t *testing.T) {
	t.Chdir(root)
	link := regexp.MustCompile(`\]\(([^)#]+)(#[^)]*)?\)`)
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if !strings.Contains(m[1], "://") {
				assert.FileExists(t, filepath.Join(filepath.Dir(page), m[1]), page)
			}
		}
	}
}

// anchors are the names of a page's headings in links.
func anchors(text string) map[string]bool {
	names := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		name := regexp.MustCompile(`[^\w\- ]`).ReplaceAllString(strings.ToLower(m[1]), "")
		names["#"+strings.ReplaceAll(name, " ", "-")] = true
	}
	return names
}

func TestLinksIntoPagesLeadToHeadings(t *testing.T) {
	t.Chdir(root)
	texts := pages(t)
	found := 0
	for page, text := range texts {
		for _, m := range regexp.MustCompile(`\]\(([^)#:]*)(#[^)]+)\)`).FindAllStringSubmatch(text, -1) {
			to := page
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(page), m[1])
			}
			if target, ok := texts[to]; ok {
				found++
				assert.True(t, anchors(target)[m[2]], "%s: %s has no heading %s", page, to, m[2])
			}
		}
	}
	assert.Greater(t, found, 25)
}

// otherNames are what only tests read, beside MGPU_TEST_, the documents' own examples, what other projects declare, and
// what has been removed.
var otherNames = []string{"MGPU_RANDOM_SEED", "MGPU_CAHCE", "mgpuName", "mgpuLaunchKernelErr", "mgpuEventElapsedTime", "mgpuxTraceFlush"}

func TestTheDocumentsNameWhatIsThere(t *testing.T) {
	t.Chdir(root)
	header, err := os.ReadFile("include/mgpu_runtime.h")
	require.NoError(t, err)
	symmetric, err := os.ReadFile("include/mgpu_symmetric.h")
	require.NoError(t, err)
	header = append(header, symmetric...)
	setting, function := regexp.MustCompile(`\bMGPU_[A-Z_]+\b`), regexp.MustCompile(`\bmgpux?[A-Z]\w+`)
	file := regexp.MustCompile("`((?:docs|scripts|bench|test|internal|include|cmd)/[\\w./-]+)`")
	for page, text := range pages(t) {
		for _, name := range setting.FindAllString(text, -1) {
			assert.True(t, settings.Find(name) != nil || settings.Removed[name] != "" || strings.HasPrefix(name, "MGPU_TEST_") || slices.Contains(otherNames, name), "%s: %s is not a setting", page, name)
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

// targets are what a command line in a document asks make for.
func targets(arguments string) []string {
	arguments = regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(arguments, "")
	arguments, _, _ = strings.Cut(arguments, "#")
	return slices.DeleteFunc(strings.Fields(arguments), func(word string) bool {
		return strings.HasPrefix(word, "-") || strings.Contains(word, "=")
	})
}

func TestMakeHasTheTargetsThatTheDocumentsName(t *testing.T) {
	t.Chdir(root)
	commands := []*regexp.Regexp{
		regexp.MustCompile("(?m)^    (?:\\$ )?make ([^;&|\n]*)"),
		regexp.MustCompile("`make\\s([^`]*)`"),
	}
	var rules strings.Builder
	for _, file := range []string{"Makefile", "build.mk", "test/fakehip/build.mk"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		rules.Write(text)
	}
	named := 0
	for page, text := range pages(t) {
		for _, command := range commands {
			for _, m := range command.FindAllStringSubmatch(text, -1) {
				for _, target := range targets(m[1]) {
					named++
					assert.Regexp(t, `(?m)^`+regexp.QuoteMeta(target)+`:`, rules.String(), page)
				}
			}
		}
	}
	assert.Greater(t, named, 25)
}

// TestMakeHelpListsTheTargets wants a line for each phony target, and lines that fit a terminal.
func TestMakeHelpListsTheTargets(t *testing.T) {
	t.Chdir(root)
	out, err := exec.Command("make", "-s", "help").Output()
	require.NoError(t, err)
	listed := string(out)
	for _, line := range strings.Split(listed, "\n") {
		assert.LessOrEqual(t, len(line), 100, line)
	}
	text, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	targets := regexp.MustCompile(`(?m)^\.PHONY: (\S+)$`).FindAllStringSubmatch(string(text), -1)
	require.Greater(t, len(targets), 25)
	for _, m := range targets {
		if m[1] != "lit-sites" { // a part of lit
			assert.Regexp(t, `(?m)^  make `+m[1]+` `, listed, "%s needs a comment that begins with ##, on the line of its rule", m[1])
		}
	}
}

// Only the header has the version; what shows it follows.
func TestWhatShowsTheVersionFollowsTheHeader(t *testing.T) {
	t.Chdir(root)
	for path, shows := range map[string]*regexp.Regexp{
		"README.md":                      regexp.MustCompile(`(?m)^Version ([\d.]+\d)`),
		"docs/doctor.md":                 regexp.MustCompile(`(?:mgpu|version) (\d+\.\d+\.\d+)`),
		"docs/gallery/ci/.gitlab-ci.yml": regexp.MustCompile(`(?:download/v|mgpu[-_]runtime[-_])(\d+\.\d+\.\d+)`),
		"include/mgpu_runtime.h":         regexp.MustCompile(`version, "([^"]*)", a constant`),
	} {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		found := shows.FindAllStringSubmatch(string(text), -1)
		require.NotEmpty(t, found, path)
		for _, m := range found {
			assert.Equal(t, include.Version(), m[1], path)
		}
	}
}

func TestTheReadmeCountsTheCalls(t *testing.T) {
	t.Chdir(root)
	header, err := os.ReadFile("include/mgpu_runtime.h")
	require.NoError(t, err)
	calls := slices.DeleteFunc(named(inHeader, string(header)), func(name string) bool { return strings.HasPrefix(name, "mgpux") })
	m := regexp.MustCompile("`mgpuStreamCreate`, `mgpuModuleLoad`, `mgpuLaunchKernel` and (\\d+) more").FindStringSubmatch(pages(t)["README.md"])
	require.NotNil(t, m)
	assert.Equal(t, strconv.Itoa(len(calls)-3), m[1])
}

// cells are the rows of the tables in a text: the first cell of each, and the others.
func cells(text string) map[string][]string {
	rows := map[string][]string{}
	for _, line := range strings.Split(text, "\n") {
		if line, ok := strings.CutPrefix(line, "| "); ok {
			row := strings.Split(strings.TrimSuffix(line, "|"), "|")
			for i := range row {
				row[i] = strings.TrimSpace(row[i])
			}
			rows[row[0]] = append(rows[row[0]], row[1:]...)
		}
	}
	return rows
}

// measured are the README's rows by those of bench/RESULTS.md that they are taken from.
var measured = map[string]string{
	"a launch, LLVM 19's lowering, 1 thread":                    "loop, MLIR 19, 1 thread",
	"a launch, LLVM 22's lowering, 1 thread":                    "loop, MLIR 22, 1 thread",
	"alloc and free, 1 MiB; by hand from the driver's own pool": "alloc, free, 1 MiB, beside the driver's own pool",
	"alloc, copy, launch, copy, free, 64 KiB, alone":            "alloc, copy, launch, copy, free, 64 KiB, alone",
}

func TestTheReadmesNumbersAreThoseOfTheResults(t *testing.T) {
	t.Chdir(root)
	texts := pages(t)
	_, section, _ := strings.Cut(texts["README.md"], "\n## Measured\n")
	section, _, _ = strings.Cut(section, "\n## ")
	results, _, _ := strings.Cut(texts["bench/RESULTS.md"], "\n## Targets\n")
	from, rows := cells(results), cells(section)
	delete(rows, "") // the head
	require.Len(t, rows, len(measured))
	for name, row := range rows {
		require.Contains(t, measured, name)
		source := from[measured[name]]
		require.Len(t, source, 8, "bench/RESULTS.md: samples, five sides and two ratios of %s", measured[name])
		for i, side := range []int{1, 4, 5} { // stock, ours, hoisted
			median, _, _ := strings.Cut(source[side], " /")
			exact, err := strconv.ParseFloat(median, 64)
			require.NoError(t, err, name)
			_, digits, _ := strings.Cut(row[i], ".")
			assert.Equal(t, strconv.FormatFloat(exact, 'f', len(digits), 64), row[i], name)
		}
	}
}

// TestTheReadmesRangeOverAMDsHIPIsThatOfTheResults takes the least and the greatest ratio of the table that bench/rocm prints.
func TestTheReadmesRangeOverAMDsHIPIsThatOfTheResults(t *testing.T) {
	t.Chdir(root)
	texts := pages(t)
	m := regexp.MustCompile(`takes ([\d.]+) to\s([\d.]+)\stimes\sas\smuch\sprocessor\stime`).FindStringSubmatch(texts["README.md"])
	require.NotNil(t, m)
	_, section, _ := strings.Cut(texts["bench/RESULTS.md"], "\n## Over AMD's own HIP, on the software GPU\n")
	var ratios []float64
	for _, row := range regexp.MustCompile(`(?m)^\| [57]\.\d\.\d \|(?: \d+ \|){3} ([\d.]+) \|`).FindAllStringSubmatch(section, -1) {
		ratio, err := strconv.ParseFloat(row[1], 64)
		require.NoError(t, err)
		ratios = append(ratios, ratio)
	}
	require.Len(t, ratios, 6)
	for i, bound := range []float64{slices.Min(ratios), slices.Max(ratios)} {
		assert.Equal(t, strconv.FormatFloat(bound, 'f', 1, 64), m[1+i])
	}
}

func TestGraphsAreAsFastAsTheResultsSay(t *testing.T) {
	t.Chdir(root)
	texts := pages(t)
	m := regexp.MustCompile(`(?s)On an H100 \(.bench/RESULTS.md.\): the loop .*? takes ([\d.]+) to ([\d.]+) times .* 128 launches ([\d.]+) times ` +
		`.*?\(([\d.]+) alone .*? ([\d.]+) times .*?\(([\d.]+) alone\)`).FindStringSubmatch(texts["docs/graphs.md"])
	require.NotNil(t, m)
	results, _, _ := strings.Cut(texts["bench/RESULTS.md"], "\n## Targets\n")
	from := cells(results)
	for i, row := range []string{"loop, MLIR 22, 1 thread", "loop, MLIR 19, 1 thread", "a region of 128 launches, new parameters",
		"a region of 128 launches, new parameters, alone", "a region of 128 launches, unchanged", "a region of 128 launches, unchanged, alone"} {
		require.Len(t, from[row], 8, row)
		assert.Equal(t, from[row][7], m[i+1], row)
	}
}
