// Package settings is the table of the library's environment variables: what each
// is called, what it may be, what it means. The library itself reads them one by
// one where they matter; this is for those who ask, mgpu doctor and the
// documentation, and a test holds the two together.
//
// The table does not change. All functions may be called by any number of
// goroutines.
package settings

import (
	"fmt"
	"strings"
)

// Setting is one environment variable.
type Setting struct {
	Name    string
	Values  []string // that it may have; what is in <> stands for a value
	Default string   // what holds where it is not set
	Meaning string
}

// All are the settings, those for every driver first.
var All = []Setting{
	{"MGPU_DRIVER", []string{"hip", "cuda", "soft", "null"}, "the first that has a device", "the only driver to try"},
	{"MGPU_CACHE", []string{"on", "off"}, "on", "off: every call goes straight to the driver, as stock's do"},
	{"MGPU_DIRECT", []string{"on", "off"}, "on", "off: C makes no launch and no wait without asking Go"},
	{"MGPU_GRAPH", []string{"auto", "on", "off", "burst", "burst-check"}, "auto on NVIDIA GPUs, off elsewhere", "which repeated launches go through graphs: graphs.md"},
	{"MGPU_MEM_CACHE", []string{"strict", "stream", "off"}, "strict", "when freed device memory is given out again: memory.md"},
	{"MGPU_MEM_LIMIT", []string{"<bytes, 4GiB, 50%>"}, "50% of what is free at first use", "how much free device memory is kept for reuse, per device"},
	{"MGPU_MEM_FILL", []string{"poison", "zero"}, "nothing", "what device memory holds when the program gets it"},
	{"MGPU_COPY", []string{"deferred", "direct"}, "at once", "deferred: copies from the device arrive when they are waited for; direct: none goes through page-locked memory: memory.md"},
	{"MGPU_HOSTCALLS", []string{"off", "warn", "error"}, "off", "kernels that print, assert or allocate are reported, or refused: printf-and-assert.md"},
	{"MGPU_STATS", []string{"1"}, "none", "times each call, and prints a table at exit"},
	{"MGPU_ON_ERROR", []string{"abort"}, "go on", "stops the process at the first failing call"},
	{"MGPU_HIP_LIBRARY", []string{"<path>"}, "libamdhip64.so and its versions", "a HIP library to try before those of the usual names"},
	{"MGPU_CUDA_LIBRARY", []string{"<path>"}, "libcuda.so.1", "a CUDA driver to try before the usual one"},
	{"MGPU_SOFT_CHIP", []string{"gfx900", "gfx906", "gfx908", "gfx90a", "gfx942"}, "gfx906", "which GPU the software GPU is"},
	{"MGPU_SOFT_DEVICES", []string{"<1 to 64>"}, "1", "how many software GPUs there are"},
	{"MGPU_SOFT_TIMEOUT", []string{"<seconds, 1m30s>"}, "never", "when a kernel that runs on is ended, with a report of where its waves stood"},
	{"MGPU_CHECK", []string{"<memory, strict, unaligned, race, uninit, sync, all, in a list>"}, "nothing", "what the software GPU watches kernels for: checker.md"},
	{"MGPU_NULL_KERNEL_US", []string{"<microseconds>"}, "0", "how long each kernel keeps its stream busy on the driver that does nothing"},
}

// Find returns the setting of that name, nil if there is none.
func Find(name string) *Setting {
	for i := range All {
		if All[i].Name == name {
			return &All[i]
		}
	}
	return nil
}

// Accepts reports whether value is one that the setting may have. Where it is not a
// choice among words, only whoever reads the setting can tell.
func (s *Setting) Accepts(value string) bool {
	for _, v := range s.Values {
		if v == value || strings.HasPrefix(v, "<") {
			return true
		}
	}
	return false
}

// Nearest returns the setting whose name is most like name, nil if none is.
func Nearest(name string) *Setting {
	best, least := -1, 4
	for i := range All {
		if d := distance(name, All[i].Name); d < least {
			best, least = i, d
		}
	}
	if best < 0 {
		return nil
	}
	return &All[best]
}

// distance is how many letters have to be put in, left out or changed.
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

// Markdown is the table as documentation has it.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| variable | values | default | meaning |\n|---|---|---|---|\n")
	for _, s := range All {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, strings.Join(marked(s.Values), ", "), s.Default, linked(s.Meaning))
	}
	return b.String()
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

// linked makes a link of the page that a meaning ends with.
func linked(meaning string) string {
	at := strings.LastIndexByte(meaning, ' ') + 1
	if page := meaning[at:]; strings.HasSuffix(page, ".md") {
		return fmt.Sprintf("%s[%s](%s)", meaning[:at], page, page)
	}
	return meaning
}
