package report

import (
	"regexp"
	"strconv"
	"sync"
)

// place is the location of an error, from a report's text.
type place struct {
	kernel string // empty: the text names none
	file   string // source file; empty: the code has no line tables
	line   int
}

// The patterns are compiled only when an error has happened.
var patterns = sync.OnceValue(func() (p struct{ kernel, source *regexp.Regexp }) {
	// "in kernel NAME" in a finding, "kernel NAME:" in a failed launch.
	p.kernel = regexp.MustCompile(`\bin kernel ([^\s,]+)|\bkernel ([^\s:]+): `)
	// "near FILE:LINE" after the faulty instruction, or at the end of a leak's line.
	p.source = regexp.MustCompile("(?m)(?:`|\\)|\\+0x[0-9a-f]+), (?:near )?([^,\n]+):(\\d+)$")
	return p
})

// placeOf returns the first location in the text of a finding or a failure.
func placeOf(text string) (at place) {
	p := patterns()
	if m := p.kernel.FindStringSubmatch(text); m != nil {
		at.kernel = m[1] + m[2]
	}
	if m := p.source.FindStringSubmatch(text); m != nil {
		at.file = m[1]
		at.line, _ = strconv.Atoi(m[2])
	}
	return at
}
