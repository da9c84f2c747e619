package kfd

import (
	"fmt"
	"sync"
	"syscall"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// Options describe the GPUs.
type Options struct {
	hsa.Options

	// FindDebug returns the address of the runtime's list of code objects, struct r_debug, for runtimes that
	// do not tell the driver; zero: unknown. nil: all are unknown.
	FindDebug func() uint64
}

// Driver is the state of the driver for one process.
type Driver struct {
	*hsa.System
	gpu       hsa.GPU
	devices   []*device // the GPUs, by node less one
	control   int       // descriptor of /dev/kfd's file
	tree      *tree
	findDebug func() uint64

	mu       sync.Mutex
	buffers  map[uint64]*buffer // by handle
	last     uint32             // latest handle
	objects  map[uint32]*buffer // GEM handles
	mappings []*mapping         // GEM_VA's
	queues   map[uint64]*queue  // by id
	events   *buffer            // page that kernels signal events in; nil: none
	runtime  bool               // RUNTIME_ENABLE: errors go to queues' save areas

	listeners []*listener // for events of SMI
}

// device is one GPU.
type device struct {
	node  uint32
	id    uint32 // in control calls
	minor uint32 // of its render node
	store store
	bells [bellsPage / 8]bool // slots of doorbells that are taken
}

// Places of things other than memory in /dev/kfd's file, and its size: mappings begin there. A GPU's
// number stands where the kernel's driver has it: the thunk takes all bits below for an offset.
const (
	fileSize   = 1 << 50
	bellsPlace = 1 << 40
	mmioPlace  = 1 << 41
	eventPlace = 1 << 42
	gpuShift   = 46
	bellsPage  = 8 << 10 // doorbells of one GPU
	page       = 4 << 10
)

// Open makes the GPUs and their files.
func Open(o Options) (*Driver, error) {
	d := &Driver{
		findDebug: o.FindDebug,
		buffers:   map[uint64]*buffer{}, objects: map[uint32]*buffer{}, queues: map[uint64]*queue{},
	}
	o.Faulted = d.tellFault
	e, err := hsa.Open(o.Options)
	if err != nil {
		return nil, err
	}
	d.System, d.gpu = e, e.GPU()
	if d.control, err = sparse("mgpu-kfd"); err != nil {
		return nil, fmt.Errorf("a file in memory for /dev/kfd: %w", err)
	}
	minors := freeMinors(e.GPUs())
	for i := range e.GPUs() {
		g := &device{node: uint32(1 + i), id: uint32(0x5001 + i), minor: minors[i]}
		if g.store.fd, err = sparse(vramName); err != nil {
			return nil, fmt.Errorf("a file in memory for a GPU's memory: %w", err)
		}
		d.devices = append(d.devices, g)
	}
	d.tree = d.plant()
	return d, nil
}

// sparse makes a file in memory that takes no memory until it is written to.
func sparse(name string) (int, error) {
	fd, err := memfd(name)
	if err != nil {
		return -1, err
	}
	if err := syscall.Ftruncate(fd, fileSize); err != nil {
		return -1, err
	}
	return fd, nil
}

// DeviceFile is a device's file.
type DeviceFile struct {
	Descriptor int
	Minor      uint32 // of the device's number
}

// Files are /dev/kfd's and then the render nodes'.
func (d *Driver) Files() []DeviceFile {
	all := []DeviceFile{{Descriptor: d.control}}
	for _, g := range d.devices {
		all = append(all, DeviceFile{g.store.fd, g.minor})
	}
	return all
}

// byID finds a GPU by the number that control calls have.
func (d *Driver) byID(id uint32) *device {
	if i := int(id) - 0x5001; i >= 0 && i < len(d.devices) {
		return d.devices[i]
	}
	return nil
}

// nodeSet reads an array of GPUs' ids.
func (d *Driver) nodeSet(ids uint64, count uint32) (set uint64, errno syscall.Errno) {
	if count > uint32(len(d.devices)) || count > 0 && ids == 0 {
		return 0, syscall.EINVAL
	}
	for i := range count {
		g := d.byID(*at[uint32](ids + uint64(4*i)))
		if g == nil {
			return 0, syscall.EINVAL
		}
		set |= 1 << g.node
	}
	return set, 0
}
