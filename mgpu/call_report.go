package mgpu

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// report prints err as one line for the mgpu function name, in the form of MLIR's own wrapper.
func (r *Runtime) report(name string, err error) {
	var de *driver.Error
	var line string
	var below []string
	code := driver.Unknown
	if errors.As(err, &de) {
		line, below, code = r.vendorsLine(err, de), de.Lines, de.Code
	} else {
		line = fmt.Sprintf("'%s' failed with '%v'", name, err)
	}
	if errors.As(err, new(noDriver)) {
		code = driver.NoDevice
	}
	held := r.hold(code, line, below)
	r.note(code, line)
	if held {
		r.cfg.Trace.On().Instant(trace.Line, line)
	} else {
		r.printLine(line, below...)
	}
	if r.cfg.Abort != nil {
		r.cfg.Abort()
	}
}

// note passes a failure to Config.Failed.
func (r *Runtime) note(code driver.Code, line string) {
	if r.cfg.Failed != nil {
		text := appendLine(nil, line)
		r.cfg.Failed(int32(code)+1, text[:len(text)-1])
	}
}

// hold passes a failure to Config.Hold, and reports whether it must not be printed.
func (r *Runtime) hold(code driver.Code, line string, below []string) bool {
	if r.cfg.Hold == nil || r.cfg.Abort != nil {
		return false
	}
	text := appendLines(line, below)
	return r.cfg.Hold(int32(code)+1, text[:len(text)-1])
}

// vendorsLine returns err's line with the driver's own name of de, the failure in err.
func (r *Runtime) vendorsLine(err error, de *driver.Error) string {
	k := r.core.Load()
	if de.Name != "" || k == nil {
		return err.Error()
	}
	namer, ok := k.drv.(driver.ErrorNamer)
	if !ok {
		return err.Error()
	}
	named := *de
	named.Name = namer.ErrorName(de.Code)
	return strings.Replace(err.Error(), de.Error(), named.Error(), 1)
}

// noDriver is the error for a process in which no driver could be opened.
type noDriver struct{ error }

// Report reports a failure that the caller has detected.
func (r *Runtime) Report(name string, err error) { r.report(name, err) }

// maxLineBytes is the length at which a line is cut, since names in a program can have any length.
const maxLineBytes = 2000

// printLine writes one line and the lines that belong below it to stderr, in one Write. Control characters become '?',
// since names in a program can contain any bytes.
func (r *Runtime) printLine(line string, below ...string) {
	if r.cfg.Label != "" {
		line = "[" + r.cfg.Label + "] " + line
	}
	_, _ = r.cfg.Stderr.Write(appendLines(line, below))
	r.cfg.Trace.On().Instant(trace.Line, line)
}

func appendLines(line string, below []string) (text []byte) {
	text = appendLine(nil, line)
	for _, l := range below {
		text = appendLine(text, l)
	}
	return text
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

// Guard reports a panic as the failure of an mgpu call, so that the panic does not reach C. Every function that C calls
// defers it. call is a number of the call list.
func (r *Runtime) Guard(call int) {
	if v := recover(); v != nil {
		r.recovered(callNames[call], v)
	}
}

// GuardAs is Guard for functions that serve several calls.
func (r *Runtime) GuardAs(what string) {
	if v := recover(); v != nil {
		r.recovered(what, v)
	}
}

func (r *Runtime) recovered(name string, v any) { r.report(name, fmt.Errorf("internal error: %v", v)) }

// failedToOpen reports that a call has no driver. The cause may be a wrong setting, which no later call can change.
func (r *Runtime) failedToOpen(call string) {
	c := &r.cascade
	c.mu.Lock()
	told := c.toldOfThat
	c.toldOfThat = true
	if told {
		if c.undriven == nil {
			c.undriven = map[string]uint64{}
		}
		c.undriven[call]++
	}
	c.mu.Unlock()
	if told {
		r.note(driver.NoDevice, fmt.Sprintf("'%s' failed with '%v'", call, r.fail))
		return
	}
	r.report(call, r.fail)
}

// Cascade returns lines about the calls that failed only because an earlier call had failed; none if there were no such
// calls.
func (r *Runtime) Cascade() (lines []string) {
	c := &r.cascade
	var parts []string
	for i := range c.counts {
		if n := c.counts[i].Load(); n != 0 {
			parts = append(parts, fmt.Sprintf("%s %d", callNames[i], n))
		}
	}
	if parts != nil {
		lines = append(lines, "mgpu: calls that failed only because a load or a look-up before had failed: "+strings.Join(parts, ", "))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	parts = nil
	for _, call := range slices.Sorted(maps.Keys(c.undriven)) {
		parts = append(parts, fmt.Sprintf("%s %d", call, c.undriven[call]))
	}
	if parts != nil {
		lines = append(lines, "mgpu: further calls that failed because no driver could be opened: "+strings.Join(parts, ", "))
	}
	return lines
}
