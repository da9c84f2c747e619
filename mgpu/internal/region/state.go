package region

import (
	"fmt"
	"slices"
)

// state is the state of a recorder, guarded by recorder.mu.
type state uint8

const (
	idle    state = iota // no recording is open
	open                 // the thread's calls are recorded
	waiting              // the thread waits for the GPU, with recorder.mu unlocked
	left                 // another thread ended the recording during that wait; the waiting thread returns the joins
)

// transition is a change of a recorder's state.
type transition struct {
	from, to state
	by       string
}

// transitions are all allowed changes.
var transitions = []transition{
	{idle, open, "the program begins the region"},
	{open, waiting, "a call waits for work from before the recording"},
	{waiting, open, "the wait is over"},
	{waiting, left, "another thread ends the recording"},
	{left, idle, "the wait is over, and the joins are returned"},
	{open, idle, "the region ends, or a call comes that can't be recorded"},
}

// move changes the state. A change that is not in the table is a bug in this package.
func (rec *recorder) move(to state) {
	if !slices.ContainsFunc(transitions, func(t transition) bool { return t.from == rec.state && t.to == to }) {
		panic(fmt.Sprintf("a region's recorder goes from state %d to %d", rec.state, to))
	}
	rec.state = to
}

// recording reports whether a recording is open. Its thread may be waiting.
func (rec *recorder) recording() bool { return rec.state == open || rec.state == waiting }

// over ends the recording. Its thread may be waiting.
func (rec *recorder) over() {
	if rec.state == waiting {
		rec.move(left)
		return
	}
	rec.move(idle)
}
