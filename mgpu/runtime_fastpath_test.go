package mgpu

import (
	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// fastPath is a C fast path that serves no call.
type fastPath struct {
	functionsForgotten int
	relaunches         []uint64 // keys of Relaunch calls, and complements of the keys of EndRelaunch calls
	takenBack          func()   // may be nil
	freed              uint64   // result of Freed
}

func (*fastPath) Calls(int) uint64                    { return 0 }
func (*fastPath) DriverCalls(int) uint64              { return 0 }
func (*fastPath) DriverTime(int) uint64               { return 0 }
func (*fastPath) GraphLaunches() uint64               { return 0 }
func (*fastPath) Launches(func(Launches))             {}
func (*fastPath) Allocations() (a, b, c uint64)       { return 0, 0, 0 }
func (*fastPath) Offer(PathOffer)                     {}
func (c *fastPath) ForgetFunctions()                  { c.functionsForgotten++ }
func (*fastPath) ForgetStreams()                      {}
func (*fastPath) WatchReset(driver.Ptr, uint64, bool) {}
func (*fastPath) ReleaseModule(driver.Module) bool    { return false }
func (*fastPath) ForgetModule(driver.Module) bool     { return false }
func (*fastPath) Take(uint32) uintptr                 { return 0 }
func (*fastPath) Publish(*alloccache.Block)           {}
func (*fastPath) Withdraw(*alloccache.Block)          {}
func (*fastPath) Each(func(ptr uintptr))              {}
func (*fastPath) OfferStreams(_, _, _ uintptr)        {}
func (*fastPath) OfferMemory(MemoryOffer)             {}
func (c *fastPath) Freed() uint64                     { return c.freed }
func (c *fastPath) NoteFreed(frees uint64)            { c.freed = frees }
func (c *fastPath) Relaunch(key uint64, _ driver.Stream, _ driver.GraphExec, _ uintptr) {
	c.relaunches = append(c.relaunches, key)
}
func (c *fastPath) EndRelaunch(key uint64, _ driver.Stream) {
	if c.relaunches = append(c.relaunches, ^key); c.takenBack != nil {
		c.takenBack()
	}
}
