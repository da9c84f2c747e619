package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// KernelTraits is what graphs need to know about a kernel.
type KernelTraits struct {
	Params  []driver.Param // layout of the parameters
	Err     error          // why Params is unknown; nil: known
	Refusal string         // why graphs must not have launches of the kernel; empty: they may
}
