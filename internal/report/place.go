package report

import (
	"regexp"
	"strconv"
	"sync"
)

// place is what a report's text says of where something went wrong.
type place struct {
	kernel string // empty: it names none
	file   string // of the source; empty: the code has no lines
	line   int
}

// The patterns are compiled when something has gone wrong, and not in every process.
var patterns = sync.OnceValue(func() (p struct{ kernel, source *regexp.Regexp }) {
	// "in kernel NAME" of a finding, "kernel NAME:" of a launch that failed.
	p.kernel = regexp.MustCompile(`\bin kernel ([^\s,]+)|\bkernel ([^\s:]+): `)
	// "near FILE:LINE" after the instruction that was at fault, or at the end of a leak's line.
	p.source = regexp.MustCompile("(?m)(?:`|\\)|\\+0x[0-9a-f]+), (?:near )?([^,\n]+):(\\d+)$")
	return p
})

// placeOf reads the place that the text of a finding or a failure names first.
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
