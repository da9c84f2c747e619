package mgpu

import (
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/mgpu/internal/region"
)

// regions are the program's recorded regions, as the rest of the runtime sees them.
type regions interface {
	// Unloading prepares for a module's unload. Graphs with its kernels can't be launched afterwards.
	Unloading(driver.Module)
	// Lost empties the graphs of a device that the program has reset.
	Lost(device int)
	// Explain adds the kernels of the stream's latest graph to the failure of a wait.
	Explain(err error, stream uintptr) error
	// Stats returns a row for each region, by key.
	Stats() []RegionStats
}

// RegionStats counts what happened to a region.
type RegionStats = region.Stats
