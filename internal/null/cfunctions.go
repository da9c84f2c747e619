package null

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

var _ driver.CCaller = (*Driver)(nil)

// CFunctions returns the functions for launches, waits and copies in C, if kernels take no time.
func (d *Driver) CFunctions() driver.CFunctions {
	if d.opt.Kernel != 0 {
		return driver.CFunctions{}
	}
	return driver.CFunctions{LaunchKernel: d.opt.Nothing, StreamSynchronize: d.opt.Nothing, StreamIdle: d.opt.Nothing, GraphLaunch: d.opt.Nothing,
		Memcpy: d.opt.Nothing, Memset32: d.opt.Nothing, Memset16: d.opt.Nothing}
}
