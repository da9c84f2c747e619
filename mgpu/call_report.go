package mgpu

import (
	"errors"
	"fmt"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// report prints err as one line in the stock wrapper's form, for the mgpu
// function name.
func (r *Runtime) report(name string, err error) {
	var de *driver.Error
	switch {
	case errors.As(err, &de):
		r.printLine(err.Error(), de.Lines...)
	default:
		r.printLine(fmt.Sprintf("'%s' failed with '%v'", name, err))
	}
	if r.cfg.Abort != nil {
		r.cfg.Abort()
	}
}

// Report is report for failures that the caller finds.
func (r *Runtime) Report(name string, err error) { r.report(name, err) }

// longest is where a line is cut: a program's names can be of any length.
const maxLineBytes = 2000

// printLine writes one line to stderr, and those that belong to it, in one Write. What a
// program passed as a name may hold anything; a line stays one line of text.
func (r *Runtime) printLine(line string, below ...string) {
	text := appendLine(nil, line)
	for _, l := range below {
		text = appendLine(text, l)
	}
	_, _ = r.cfg.Stderr.Write(text)
}

func appendLine(text []byte, line string) []byte {
	start := len(text)
	if text = append(text, line...); len(line) > maxLineBytes {
		text = append(text[:start+maxLineBytes], "..."...)
	}
	for i, c := range text[start:] {
		if c < ' ' || c == 0x7f {
			text[start+i] = '?'
		}
	}
	return append(text, '\n')
}

// Guard, deferred by what C calls, keeps a panic of an mgpu call (a number of the call
// list) from crossing into C: it is reported as the call's failure.
func (r *Runtime) Guard(call int) {
	if v := recover(); v != nil {
		r.recovered(callNames[call], v)
	}
}

// GuardAs is Guard for what serves several calls.
func (r *Runtime) GuardAs(what string) {
	if v := recover(); v != nil {
		r.recovered(what, v)
	}
}

func (r *Runtime) recovered(name string, v any) { r.report(name, fmt.Errorf("internal error: %v", v)) }
