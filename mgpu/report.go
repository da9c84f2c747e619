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

// say writes one line to stderr, in one Write.
func (r *Runtime) say(line string) {
	_, _ = r.cfg.Stderr.Write([]byte(line + "\n"))
}

// Recovered reports a panic of the library's own that was caught on its way
// into C.
func (r *Runtime) Recovered(name string, v any) {
	r.report(name, fmt.Errorf("internal error: %v", v))
}
