package mgpu

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/mgpu/internal/region"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// Regions returns the program's recorded regions.
func (r *Runtime) Regions() *region.Regions { return r.regions.(*region.Regions) }

// RecordLaunch records a launch within a region.
func (r *Runtime) RecordLaunch(id uintptr, l *Launch) bool {
	dl, _, invalid := r.checked(launchKernel, l)
	return r.Regions().RecordLaunch(id, driver.Function(l.Function), dl, invalid)
}

// GraphEnd ends a region and launches its graph. launched is false if the calls were executed one by one. w is the wait
// that the recorded calls asked for.
func (r *Runtime) GraphEnd(id uintptr) (launched bool, w Wait) {
	launched, stream := r.Regions().End(id)
	if stream != 0 {
		k := r.core.Load()
		f := r.frameOf(k, streamSynchronize)
		w = f.synchronizeStream(uintptr(stream), k.pool.Find(uintptr(stream)))
	}
	return launched, w
}

// regionRuntime implements region.Runtime for a Runtime.
type regionRuntime struct {
	r    *Runtime
	once sync.Once
	by   [region.Functions]regionCalls
}

func newRegions(r *Runtime) *region.Regions { return region.New(&regionRuntime{r: r}) }

// charged are the functions to which a region's driver calls are charged.
var charged = [region.Functions]int{
	region.LaunchKernel:      launchKernel,
	region.Memcpy:            memcpy,
	region.Memset:            memset32,
	region.MemAlloc:          memAlloc,
	region.MemFree:           memFree,
	region.StreamSynchronize: streamSynchronize,
	region.StreamWaitEvent:   streamWaitEvent,
	region.EventRecord:       eventRecord,
	region.EventSynchronize:  eventSynchronize,
}

// Open implements region.Runtime.
func (g *regionRuntime) Open(call string) bool {
	k := g.r.core.Load()
	if k == nil {
		if k = g.r.open(); k == nil {
			g.r.failedToOpen(call)
			return false
		}
	}
	g.once.Do(func() {
		for i, call := range charged {
			g.by[i] = regionCalls{view: &k.views[call], relauncher: g.r.relauncher(k)}
		}
	})
	return true
}

// On implements region.Runtime.
func (g *regionRuntime) On(f region.Function) region.Calls { return &g.by[f] }

// Report implements region.Runtime.
func (g *regionRuntime) Report(call string, err error) { g.r.report(call, err) }

// PrintLine implements region.Runtime.
func (g *regionRuntime) PrintLine(line string) { g.r.printLine(line) }

// regionCalls implements region.Calls for one mgpu function.
type regionCalls struct {
	*view
	relauncher region.Relauncher // nil: C does not relaunch graphs
}

func (c *regionCalls) frame() frame { return c.r.frameOf(c.k, c.call) }

func (c *regionCalls) SynchronizeDevice(device int) error {
	f := c.frame()
	return f.synchronizeDevice(c.drv.(driver.DeviceSynchronizer), device)
}

func (c *regionCalls) Driver() driver.Driver { return c.drv }

func (c *regionCalls) Unrecordable() string {
	switch {
	case c.k.graphs == nil:
		return "the " + c.drv.Name() + " driver has no graphs"
	case !c.k.cached:
		return "MGPU_CACHE=off leaves nothing known of streams"
	}
	return ""
}

func (c *regionCalls) Graphs() launchgraph.Driver { return c.k.graphCalls }

func (c *regionCalls) GraphTraits() (t driver.GraphTraits) {
	if c.k.graphs != nil {
		t = c.k.graphs.GraphTraits()
	}
	return t
}

func (c *regionCalls) Relauncher() region.Relauncher { return c.relauncher }

func (r *Runtime) relauncher(k *core) region.Relauncher {
	calls, ok := r.cFunctions(k)
	if !ok || !k.cached || k.graphs == nil || calls.GraphLaunch == 0 || calls.GraphsPinned {
		return nil
	}
	return r.cfg.FastPath
}

func (c *regionCalls) Failed(err error) bool {
	if err == nil {
		return false
	}
	c.r.report(callNames[c.call], err)
	return true
}

func (c *regionCalls) FailedLaunch(fn driver.Function, err error) {
	c.Failed(c.r.withKernelName(err, uintptr(fn)))
}

func (c *regionCalls) Launched(fn driver.Function, grid, block driver.Dim3, byGraph bool) {
	c.r.stats.kernels.launched(fn, grid, block, byGraph)
}

func (c *regionCalls) Counts() bool { return c.r.stats.timing }

func (c *regionCalls) CurrentDevice() (int, error) { f := c.frame(); return f.device() }

func (c *regionCalls) SwitchTo(device int) (before int, err error) {
	f := c.frame()
	return f.switchTo(device)
}

func (c *regionCalls) SwitchBack(before, device int) { f := c.frame(); f.switchBack(before, device) }

func (c *regionCalls) Pool() *streampool.Pool { return c.k.pool }

func (c *regionCalls) Find(handle uintptr) (*streampool.Entry, bool) {
	f := c.frame()
	return f.find(handle)
}

func (c *regionCalls) FindStream(handle uintptr) (*streampool.Entry, bool) {
	f := c.frame()
	return f.findStream(handle)
}

func (c *regionCalls) EntryOf(s driver.Stream) *streampool.Entry { f := c.frame(); return f.entryOf(s) }

func (c *regionCalls) DefaultStreamPending(device int) bool {
	return device < len(c.k.nulls) && c.k.nulls[device].Pending()
}

func (c *regionCalls) EntryToSubmit(s driver.Stream) *streampool.Entry {
	f := c.frame()
	e := f.entryOf(s)
	f.followFrees(s, e)
	return e
}

func (c *regionCalls) RecordOwn(e driver.Event, s driver.Stream) error {
	f := c.frame()
	return f.recordOwn(e, s)
}

func (c *regionCalls) WaitForEvent(s driver.Stream, e driver.Event) error {
	f := c.frame()
	return f.waitForEvent(s, f.entryOf(s), e, c.k.pool.Find(uintptr(e)))
}

func (c *regionCalls) WaitForStream(s, other driver.Stream) error {
	f := c.frame()
	return f.waitForStream(s, f.entryOf(s), other, c.k.pool.Find(uintptr(other)))
}

func (c *regionCalls) Await(e *streampool.Entry) error {
	f := c.frame()
	return f.memory().Await(markLatest(e))
}

func (c *regionCalls) Captures(s driver.Stream) bool { f := c.frame(); return f.capturesStream(s) }

func (c *regionCalls) CapturesAny() bool { return c.k.capturesAny(c.meter) }

func (c *regionCalls) RelaxCapture() (restore func()) { f := c.frame(); return f.relaxCapture() }

func (c *regionCalls) Kernel(fn driver.Function) *launchgraph.KernelTraits {
	f := c.frame()
	return f.kernelTraits(uintptr(fn))
}

func (c *regionCalls) KernelName(fn driver.Function) string { return c.r.kernelName(uintptr(fn)) }

func (c *regionCalls) KernelIn(fn driver.Function, m driver.Module) bool {
	known := c.r.kernelOf(uintptr(fn))
	return known != nil && known.module == m
}

func (c *regionCalls) RecordsMemory() bool { return c.k.memory != nil && c.k.memory.fill == noFill }

func (c *regionCalls) Request(q alloccache.Request, session uintptr) alloccache.Request {
	q.Call, q.Session = c.call, c.k.memory.cache.SessionOf(session)
	return q
}

func (c *regionCalls) Alloc(q alloccache.Request) (uintptr, error) {
	f := c.frame()
	f.k.memory.freeAtFirstUse(f.k.drv, q.Device)
	b, o, err := f.k.memory.cache.Alloc(f.memory(), q)
	if err != nil {
		return 0, err
	}
	if o == alloccache.Allocated {
		f.countMiss()
	}
	return b.Ptr(), nil
}

func (c *regionCalls) AllocAgain(ptr uintptr, q alloccache.Request) bool {
	b := c.k.memory.cache.Find(ptr)
	return b != nil && b.Device() == q.Device && c.k.memory.cache.Again(b, q)
}

func (c *regionCalls) Hold(ptr uintptr) bool {
	b, _, err := c.k.memory.cache.Hold(ptr, callNames[c.call])
	c.Failed(err)
	return b != nil
}

func (c *regionCalls) NoteFree(device int) { c.k.noteFree(device) }

// Release implements region.Calls. The cache can't know the work of foreign and destroyed streams; the driver's free
// waits for that work.
func (c *regionCalls) Release(ptr uintptr) {
	f := c.frame()
	m := f.k.memory
	b := m.cache.Find(ptr)
	if b == nil {
		return
	}
	var gone alloccache.Memory
	o := alloccache.Given
	if m.untold(b.Device()) != streampool.OwnHandle {
		gone, _ = m.cache.GiveUp(b)
	} else {
		gone, o = m.cache.Settle(f.memory(), b)
	}
	if o == alloccache.Given {
		c.Failed(f.memory().Release(gone.Kind, gone.Device, gone.Ptr))
	}
}

func (c *regionCalls) Lose(ptr uintptr) {
	if b := c.k.memory.cache.Find(ptr); b != nil {
		c.k.memory.cache.GiveUp(b)
	}
}

func (c *regionCalls) FreeWaits(device int) (waits, known bool) {
	f := c.frame()
	why := f.waitReason(device)
	return why != noReason, why == noReason || why == hostShared
}

func (c *regionCalls) NoteShared() { c.k.memory.noteShared() }
