// Package settings is the table of the library's environment variables: names, values, meaning and cost. The library
// itself reads the variables where it needs them. The table is for mgpu doctor and the documentation; a test compares
// it with what is read.
//
// The table does not change. All functions may be called from any number of goroutines.
package settings

import (
	"fmt"
	"slices"
	"strings"
)

// Setting is one environment variable.
type Setting struct {
	Name    string
	Values  []string // allowed values; <> encloses a placeholder
	Default string   // value if the variable is not set
	Meaning string
	Cost    string // cost of setting it
}

// All are the settings. Those for every driver come first.
var All = []Setting{
	{"MGPU_DRIVER", []string{"hip", "cuda", "soft", "null"}, "the first that has a device", "the only driver to try", "nothing"},
	{"MGPU_DEVICE", []string{"<the number of a device>", "rank"}, "0", "the device of threads for which the program sets none; rank: the local rank of an MPI job, modulo the number of devices", "nothing"},
	{"MGPU_CACHE", []string{"on", "off"}, "on", "off: every call is a driver call, as in MLIR's library", "with off, the time of MLIR's library"},
	{"MGPU_GRAPH", []string{"auto", "off"}, "auto on NVIDIA GPUs, off elsewhere", "which repeated launches go through graphs: graphs.md", "with auto, the measurement of a hundred launches"},
	{"MGPU_MEM_CACHE", []string{"strict", "off"}, "strict", "when freed device memory is reused: memory.md", "with off, the driver's time: on an H100 75 to 153 us for an alloc with its free, instead of 0.13 to 0.30 us"},
	{"MGPU_MEM_LIMIT", []string{"<a number of bytes (4GiB)>", "<a share of what is free at first use (50%)>"}, "50% of what is free at first use, shared among the ranks of a GPU", "how much free device memory is kept for reuse, per device", "less memory for other processes and libraries"},
	{"MGPU_MEM_FILL", []string{"poison", "zero"}, "nothing", "the contents of device memory when the program gets it", "a fill of the block, and a wait for it, at each allocation"},
	{"MGPU_STATS", []string{"1", "<a file (FILE.json: as JSON; %p: the process, %r: the rank)>"}, "none", "times each call, and prints a table at exit, or appends it to the file: statistics.md", "0.1 us per launch"},
	{"MGPU_TRACE", []string{"<a file (%p: the process, %r: the rank, %h: the host, %env{X}: a variable)>"}, "none", "records a timeline, for ui.perfetto.dev: trace.md", "0.2 us per call: trace.md"},
	{"MGPU_TRACE_LIMIT", []string{"<a number of bytes (1GiB)>", "<last: and a number, to keep the newest (last:64MiB)>"}, "256MiB", "how much of a timeline is recorded: trace.md", "that much disk space"},
	{"MGPU_TRACE_GPU", []string{"bounds", "events", "off"}, "bounds", "times of work on GPUs in a timeline: trace.md", "with events, some eight driver calls per launch, and no one-node graphs"},
	{"MGPU_ON_ERROR", []string{"abort", "exit", "<exit:N with a status N from 1 to 255>"}, "go on", "abort: stops the process at the first failed call or finding; exit: prints them all, and the process ends with that status (1) if it would have ended with 0", "nothing"},
	{"MGPU_REPORT", []string{"<a file (%p: the process, %r: the rank)>"}, "none", "appends each failure and each finding to the file, one JSON object per line: ci.md", "nothing"},
	{"MGPU_ANNOTATE", []string{"github"}, "none", "prints each failure and each finding also for GitHub Actions, which shows it at the source line: ci.md", "nothing"},
	{"MGPU_HIP_LIBRARY", []string{"<path>"}, "libamdhip64.so and its versions", "a HIP library to try before the usual names", "nothing"},
	{"MGPU_CUDA_LIBRARY", []string{"<path>"}, "libcuda.so.1", "a CUDA driver to try before the usual one", "nothing"},
	{"MGPU_SOFT_CHIP", []string{"gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036", "gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1200", "gfx1201", "gfx1250", "gfx1251", "<a chip and its features, gfx90a:xnack+>"}, "gfx906", "which GPU the software GPU is: instructions.md", "nothing"},
	{"MGPU_SOFT_DEVICES", []string{"<a number from 1 to 64>"}, "1", "how many software GPUs there are", "nothing"},
	{"MGPU_SOFT_MEMORY", []string{"<a number of bytes (8GiB)>"}, "half of the machine's", "how much memory each software GPU has", "nothing"},
	{"MGPU_SOFT_TIMEOUT", []string{"<a number of seconds (90)>", "<a time (1m30s)>"}, "never", "after this time a kernel is ended, with a report of the positions of its waves", "nothing"},
	{"MGPU_SOFT_SCHEDULE", []string{"<a number>"}, "none", "a seed that shuffles the order of workgroups and waves and adds delays, to find programs that rely on an order: soft.md", "a few times the kernels' time"},
	{"MGPU_CHECK", []string{"<memory, strict, align, race, uninit, sync, wait, leak, all, off, in a list>"}, "nothing", "what the software GPU checks in kernels: checker.md", "a multiple of the kernels' time: checker.md"},
	{"MGPU_PROFILE", []string{"<counts, fidelity, all, off, in a list>"}, "nothing", "what the software GPU reports about each kernel at exit: profile.md", "a multiple of the kernels' time: profile.md"},
}

// Find returns the setting with a name; nil if there is none.
func Find(name string) *Setting {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// Accepts reports whether value is allowed. Only the software GPU can check chips and lists of checks.
func (s *Setting) Accepts(value string) bool {
	for _, v := range s.Values {
		if v == value {
			return true
		}
		if strings.HasPrefix(v, "<") {
			if reads := forms[s.Name]; reads == nil || reads(value) {
				return true
			}
		}
	}
	return false
}

// Summary returns the meaning without the reference to a page.
func (s *Setting) Summary() string {
	if at := strings.LastIndex(s.Meaning, ": "); at >= 0 && strings.HasSuffix(s.Meaning, ".md") {
		return s.Meaning[:at]
	}
	return s.Meaning
}

// Choices returns the allowed values as text: "hip, cuda, soft or null".
func (s *Setting) Choices() string {
	values := make([]string, len(s.Values))
	for i, v := range s.Values {
		values[i] = strings.Trim(v, "<>")
	}
	return OneOf(values)
}

// OneOf returns words as text: "on, auto or off".
func OneOf(words []string) string {
	if last := len(words) - 1; last > 0 {
		return strings.Join(words[:last], ", ") + " or " + words[last]
	}
	return words[0]
}

// Nearest returns the setting whose name is most similar to name; nil if none is similar.
func Nearest(name string) *Setting {
	var names []string
	for i := range All {
		names = append(names, All[i].Name)
	}
	return Find(Closest(name, names))
}

// Closest returns the word of among that differs from word in the fewest letters, and in at most three; empty if there
// is none. It also finds short words with two swapped letters.
func Closest(word string, among []string) string {
	best, least := "", 4
	for _, w := range among {
		if d := distance(word, w); d < least && 2*d <= len(w)+1 {
			best, least = w, d
		}
	}
	return best
}

// Words returns the words from which the setting's value is chosen, and whether the value may be a list of them. It
// returns none if the value can be anything.
func (s *Setting) Words() (words []string, list bool) {
	for _, v := range s.Values {
		if text, ok := strings.CutSuffix(v, ", in a list>"); ok {
			return strings.Split(text[1:], ", "), true
		}
		if !strings.HasPrefix(v, "<") {
			words = append(words, v)
		}
	}
	return words, false
}

// distance returns the number of letters to insert, delete or change.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		above := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := above
			if a[i] != b[j] {
				change++
			}
			above = row[j+1]
			row[j+1] = min(change, row[j]+1, above+1)
		}
	}
	return row[len(b)]
}

// Problems returns a line for each unknown setting in an environment ("NAME=value") and for each invalid value, which
// is replaced by the default. It skips settings for tests, and settings that keep a driver from opening, since the
// driver's error names them.
func Problems(environment []string) []string {
	var lines []string
	for _, v := range environment {
		name, value, _ := strings.Cut(strings.Map(printable, v), "=")
		if !strings.HasPrefix(name, "MGPU_") || ForTests(name) {
			continue
		}
		switch s := Find(name); {
		case s == nil:
			line := fmt.Sprintf("unknown setting %.60s", name)
			if instead := Removed[name]; instead != "" {
				line = fmt.Sprintf("setting %s was removed: %s", name, instead)
			} else if near := Nearest(name); near != nil {
				line += fmt.Sprintf(": did you mean %s?", near.Name)
			}
			lines = append(lines, line)
		case slices.Contains(readByDrivers, name), value == "", s.Accepts(value):
		default:
			lines = append(lines, fmt.Sprintf("%s=%.60s is invalid, and the default is used: %v", name, value, s.Wrong(value)))
		}
	}
	slices.Sort(lines)
	return lines
}

func printable(c rune) rune {
	if c < ' ' || c == 0x7f {
		return '?'
	}
	return c
}

// ForTests reports whether a variable is for tests, benchmarks and scripts. test/README.md lists those that the library
// reads.
func ForTests(name string) bool {
	return slices.ContainsFunc([]string{"MGPU_TEST_", "MGPU_RANDOM_", "MGPU_LIB"}, func(prefix string) bool {
		return strings.HasPrefix(name, prefix)
	})
}
