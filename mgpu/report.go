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
		r.say(err.Error())
	default:
		r.say(fmt.Sprintf("'%s' failed with '%v'", name, err))
	}
	if r.cfg.Abort != nil {
		r.cfg.Abort()
	}
}

// longest is where a line is cut: a program's names can be of any length.
const longest = 2000

// say writes one line to stderr, in one Write. What a program passed as a name
// may hold anything; it stays one line of text.
func (r *Runtime) say(line string) {
	text := []byte(line)
	if len(text) > longest {
		text = append(text[:longest], "..."...)
	}
	for i, c := range text {
		if c < ' ' || c == 0x7f {
			text[i] = '?'
		}
	}
	_, _ = r.cfg.Stderr.Write(append(text, '\n'))
}

// Recovered reports a panic of the library's own that was caught on its way
// into C.
func (r *Runtime) Recovered(name string, v any) {
	r.report(name, fmt.Errorf("internal error: %v", v))
}
