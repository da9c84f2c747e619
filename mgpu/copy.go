package mgpu

// CopyStats counts copies that did not go straight to the driver.
type CopyStats struct {
	Staged    uint64 // through page-locked memory, and arrived when the call returned
	Deferred  uint64 // through page-locked memory, to arrive later
	Delivered uint64 // of those, arrived
}

type copies struct{}

func (c *copies) stats() CopyStats { return CopyStats{} }
