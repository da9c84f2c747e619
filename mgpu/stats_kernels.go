package mgpu

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/kernelstats"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// KernelStats counts the launches of the kernels with one name.
type KernelStats = kernelstats.Kernel

// kernelCounters counts launches by kernel names, if calls are timed. It gets the launches of C from the fast path, by
// function.
type kernelCounters struct {
	mu      locks.Mutex[locks.Kernels]
	names   map[uintptr]string // names of functions, including unloaded ones
	counts  kernelstats.Counts
	settled map[functionShape]Launches // what C counted for functions while they had another name

	callsHost map[string]bool // by name: whether the kernel calls the host
}

type shape struct{ grid, block driver.Dim3 }

type functionShape struct {
	function uintptr
	shape    shape
}

// name returns the name of a function's kernel. The caller has locked k.mu.
func (k *kernelCounters) name(function uintptr) string {
	if name, ok := k.names[function]; ok {
		return name
	}
	return kernelstats.Other
}

// add counts launches. The caller has locked k.mu.
func (k *kernelCounters) add(function uintptr, s shape, n uint64) *KernelStats {
	name := k.name(function)
	k.counts.Add(name, [3]uint32{s.grid.X, s.grid.Y, s.grid.Z}, [3]uint32{s.block.X, s.block.Y, s.block.Z}, n)
	return k.counts.Of(name)
}

// named notes the name of a function. If the handle had another name before, what C has counted so far belongs to that
// name.
func (k *kernelCounters) named(function uintptr, name string, c FastPath) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if was, ok := k.names[function]; ok && was != name && c != nil {
		k.settle(c, func(l Launches) bool { return l.Function == function })
	} else if !ok && len(k.names) >= maxKernels {
		return
	}
	if k.names == nil {
		k.names = map[uintptr]string{}
	}
	k.names[function] = name
}

// noteHostUse notes whether a kernel calls the host, if the name is new. It calls calls, which parses the kernel's
// image, without holding the lock.
func (k *kernelCounters) noteHostUse(name string, calls func() bool) {
	k.mu.Lock()
	_, known := k.callsHost[name]
	known = known || len(k.callsHost) >= maxKernels
	k.mu.Unlock()
	if known {
		return
	}
	host := calls()
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.callsHost == nil {
		k.callsHost = map[string]bool{}
	}
	k.callsHost[strings.Clone(name)] = host
}

// settle adds what C has counted since the last call, for the functions that which selects. The caller has locked k.mu.
func (k *kernelCounters) settle(c FastPath, which func(Launches) bool) {
	sums := map[functionShape]Launches{}
	c.Launches(func(l Launches) {
		if l.Count != 0 && which(l) {
			key := functionShape{l.Function, shape{l.Grid, l.Block}}
			sum := sums[key]
			sum.Count, sum.ByGraph = sum.Count+l.Count, sum.ByGraph+l.ByGraph
			sums[key] = sum
		}
	})
	if k.settled == nil {
		k.settled = map[functionShape]Launches{}
	}
	for key, now := range sums {
		was := k.settled[key]
		k.settled[key] = now
		k.add(key.function, key.shape, now.Count-was.Count).ByGraph += now.ByGraph - was.ByGraph
	}
}

// launched counts a launch that Go made, or that a region's graph made.
func (k *kernelCounters) launched(function driver.Function, grid, block driver.Dim3, inRegion bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c := k.add(uintptr(function), shape{grid, block}, 1); inRegion {
		c.InRegion++
	}
}

// worked adds the time of a launch on the device.
func (k *kernelCounters) worked(function driver.Function, ns uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.counts.Of(k.name(uintptr(function)))
	c.Timed++
	c.DeviceNS += ns
}

// maxKernels bounds the number of stored kernels: with modules that can't be shared, the driver returns new functions
// without end.
const maxKernels = kernelstats.MostNames
