package alloccache

// Work is a queue of a device, as far as blocks depend on it.
type Work interface {
	// Covers reports whether everything up to count is known to be done.
	Covers(count uint64) bool
	// Lost reports that nothing more will ever be known of the queue.
	Lost() bool
}

// Mark is a point in a queue: the latest piece of work that was submitted to it, or was
// being submitted.
type Mark struct {
	Of       Work
	Count    uint64 // of that work
	Returned uint64 // what a wait covers that began after the mark was taken
}

func (m Mark) covered() bool { return m.Of.Covers(m.Count) }
