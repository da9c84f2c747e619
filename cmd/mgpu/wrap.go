package main

import (
	"bytes"
	"io"
	"os"
	"strings"
)

// columns is the assumed width of a terminal.
const columns = 100

// isTerminal reports whether a writer is standard output and a terminal.
func isTerminal(to io.Writer) bool {
	out, ok := to.(*output)
	if !ok {
		return false
	}
	file, ok := out.to.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// wrapped writes lines that are at most columns wide, if they have blanks to break at.
type wrapped struct{ to io.Writer }

func (w wrapped) Write(p []byte) (int, error) {
	var out strings.Builder
	for line := range bytes.Lines(p) {
		wrap(&out, string(line))
	}
	_, err := io.WriteString(w.to, out.String())
	return len(p), err
}

// wrap writes a line. Continuation lines are indented further than its beginning.
func wrap(out *strings.Builder, line string) {
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	for first := true; ; first = false {
		width := columns - len(indent)
		end := strings.TrimSuffix(text, "\n")
		at := -1
		if len(end) > width {
			if at = strings.LastIndexByte(end[:width+1], ' '); at <= 0 {
				at = strings.IndexByte(end, ' ')
			}
		}
		if at <= 0 {
			out.WriteString(indent + text)
			return
		}
		out.WriteString(indent + strings.TrimRight(text[:at], " ") + "\n")
		text = strings.TrimLeft(text[at:], " ")
		if first {
			indent += "    "
		}
	}
}
