package launchgraph

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// KernelTraits are what graphs need to know of a kernel.
type KernelTraits struct {
	Params  []driver.Param // layout of the parameters
	Err     error          // why Params is unknown; nil: known
	Refusal string         // why launches of the kernel must not be in graphs; empty: they may
}
