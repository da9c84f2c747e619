package null

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var _ driver.Direct = (*Driver)(nil)

// Direct leaves launches, waits and copies to C where kernels take no time.
func (d *Driver) Direct() driver.DirectCalls {
	if d.opt.Kernel != 0 {
		return driver.DirectCalls{}
	}
	return driver.DirectCalls{LaunchKernel: d.opt.Nothing, StreamSynchronize: d.opt.Nothing, StreamIdle: d.opt.Nothing, GraphLaunch: d.opt.Nothing,
		Memcpy: d.opt.Nothing, Memset32: d.opt.Nothing, Memset16: d.opt.Nothing}
}
