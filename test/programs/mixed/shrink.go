package mixed

import "strings"

// shrunk leaves out lines of a program as long as it fails: many at once first, then one by one. The
// first line, of options, stays.
func shrunk(program string, fails func(program string) bool) string {
	options, rest, _ := strings.Cut(program, "\n")
	lines := strings.Split(strings.TrimSuffix(rest, "\n"), "\n")
	text := func(lines []string) string { return options + "\n" + strings.Join(lines, "\n") + "\n" }
	for size := len(lines) / 2; size > 0; {
		before := len(lines)
		for at := 0; at < len(lines); {
			without := append(append([]string(nil), lines[:at]...), lines[min(at+size, len(lines)):]...)
			if fails(text(without)) {
				lines = without
			} else {
				at += size
			}
		}
		if size > 1 || len(lines) == before {
			size /= 2
		}
	}
	return text(lines)
}
