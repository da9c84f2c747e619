package alloccache

// Work is the work of a stream or queue.
type Work interface {
	// Covers reports whether all work up to count is known to be done.
	Covers(count uint64) bool
}

// Mark is a point in a queue: the latest submission, whose driver call may be in progress.
type Mark struct {
	Of       Work
	Count    uint64 // number of the submission
	Returned uint64 // the latest submission that a wait that begins now would cover
}

func (m Mark) covered() bool { return m.Of.Covers(m.Count) }
