package launchgraph

import (
	"runtime"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// Submitter submits single nodes.
type Submitter interface {
	LaunchKernel(f driver.Function, l driver.Launch) error
	Memcpy(dst, src driver.Ptr, bytes uint64, s driver.Stream) error
	Memset32(dst driver.Ptr, value uint32, count uint64, s driver.Stream) error
	Memset16(dst driver.Ptr, value uint16, count uint64, s driver.Stream) error
}

// Submit submits the recorded nodes, beginning with node from, in their order to one stream. After a failure it calls
// failed, with the function if the node is a launch, and continues.
func (r *Recording) Submit(d Submitter, s driver.Stream, from int, failed func(driver.Function, error)) {
	var args arguments
	for i := from; i < len(r.nodes); i++ {
		n := &r.nodes[i]
		var err error
		switch {
		case n.kind == Kernel:
			l := args.bind(n.launch, n, r.values)
			l.Stream = s
			err = d.LaunchKernel(n.function, l)
		case n.kind == Copy:
			err = d.Memcpy(n.copy.Dst, n.copy.Src, n.copy.Bytes, s)
		case n.fill.Size == 4:
			err = d.Memset32(n.fill.Dst, n.fill.Value, n.fill.Count, s)
		default:
			err = d.Memset16(n.fill.Dst, uint16(n.fill.Value), n.fill.Count, s)
		}
		if err != nil {
			failed(n.function, err)
		}
	}
	runtime.KeepAlive(&args)
}
