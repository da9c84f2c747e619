package mgpu

import (
	"fmt"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// KernelStats counts the launches of the kernels with one name.
type KernelStats struct {
	Name     string       `json:"name"`
	Launches uint64       `json:"launches"`
	ByGraph  uint64       `json:"by_graph"`   // launches of these by one-node graphs
	InRegion uint64       `json:"in_regions"` // launches of these by regions' graphs
	Timed    uint64       `json:"timed"`      // launches of these whose time on the device is known
	DeviceNS uint64       `json:"device_ns"`  // time of the timed launches
	Shapes   []ShapeStats `json:"shapes"`     // the most frequent first

	CallsHost bool `json:"calls_host"` // the kernel can print, assert or allocate
}

// ShapeStats counts launches with one grid and block size.
type ShapeStats struct {
	Grid     [3]uint32 `json:"grid"`
	Block    [3]uint32 `json:"block"`
	Launches uint64    `json:"launches"`
}

// otherKernels stands for all kernels beyond the limit of names.
const otherKernels = "(other kernels)"

// kernelCounters counts launches by kernel names, if calls are timed. It gets the launches of C from the fast path, by
// function.
type kernelCounters struct {
	mu      locks.Mutex[locks.Kernels]
	names   map[uintptr]string // names of functions, including unloaded ones
	byName  map[string]*kernelCount
	settled map[functionShape]Launches // what C counted for functions while they had another name

	callsHost map[string]bool // by name: whether the kernel calls the host
}

type shape struct{ grid, block driver.Dim3 }

type functionShape struct {
	function uintptr
	shape    shape
}

type kernelCount struct {
	shapes                             map[shape]uint64
	launches, byGraph, inRegion, timed uint64
	deviceNS                           uint64
}

// count returns the counters of a function's kernel. The caller has locked k.mu.
func (k *kernelCounters) count(function uintptr) *kernelCount {
	name, ok := k.names[function]
	if !ok {
		name = otherKernels
	}
	c := k.byName[name]
	if c == nil {
		if k.byName == nil {
			k.byName = map[string]*kernelCount{}
		}
		c = &kernelCount{shapes: map[shape]uint64{}}
		k.byName[name] = c
	}
	return c
}

func (c *kernelCount) add(s shape, l Launches) {
	c.launches += l.Count
	c.byGraph += l.ByGraph
	if _, known := c.shapes[s]; known || len(c.shapes) < maxShapes {
		c.shapes[s] += l.Count
	}
}

// maxShapes is the number of shapes of a kernel that are counted apart.
const maxShapes = 256

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
		k.count(key.function).add(key.shape, Launches{Count: now.Count - was.Count, ByGraph: now.ByGraph - was.ByGraph})
	}
}

// launched counts a launch that Go made, or that a region's graph made.
func (k *kernelCounters) launched(function driver.Function, grid, block driver.Dim3, inRegion bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.count(uintptr(function))
	c.add(shape{grid, block}, Launches{Count: 1})
	if inRegion {
		c.inRegion++
	}
}

// worked adds the time of a launch on the device.
func (k *kernelCounters) worked(function driver.Function, ns uint64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := k.count(uintptr(function))
	c.timed++
	c.deviceNS += ns
}

// shape returns the shape in which a kernel is launched, as text.
func (k *KernelStats) shape() string {
	if len(k.Shapes) != 1 {
		return fmt.Sprintf("%d shapes", len(k.Shapes))
	}
	s := k.Shapes[0]
	return fmt.Sprintf("%d,%d,%d x %d,%d,%d", s.Grid[0], s.Grid[1], s.Grid[2], s.Block[0], s.Block[1], s.Block[2])
}

// maxKernels bounds the number of stored kernels: with modules that can't be shared, the driver returns new functions
// without end.
const maxKernels = 4096
