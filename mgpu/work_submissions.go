package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// submissions holds the submissions whose driver calls C makes. C refers to them by number.
type submissions struct {
	mu       locks.Mutex[locks.Submissions]
	inFlight []submission
	free     []uintptr
}

type submission struct {
	entry  *streampool.Entry
	token  streampool.Submission
	timing timing // of the work, if it is timed
}

// start counts a submission and returns its number; zero for a foreign stream.
func (c *submissions) start(to *streampool.Entry) (number uintptr) {
	if to == nil {
		return 0
	}
	s := submission{entry: to, token: to.Begin()}
	c.mu.Lock()
	defer c.mu.Unlock()
	n := len(c.free)
	if n == 0 {
		c.inFlight = append(c.inFlight, s)
		return uintptr(len(c.inFlight))
	}
	number, c.free = c.free[n-1], c.free[:n-1]
	c.inFlight[number-1] = s
	return number
}

// time stores the timing of a submission's work.
func (c *submissions) time(number uintptr, t timing) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inFlight[number-1].timing = t
}

// finish removes and returns a submission. The caller ends the submission.
func (c *submissions) finish(number uintptr) (s submission) {
	if number == 0 {
		return submission{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s, c.inFlight[number-1] = c.inFlight[number-1], submission{}
	c.free = append(c.free, number)
	return s
}
