package softgpu

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/settings"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/check"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/profile"
)

// Options are the options of a driver. The zero value is suitable for most users.
type Options struct {
	Chip        string // LLVM's name, with features if they matter ("gfx90a:xnack-"); empty: gfx906
	Devices     int    // number of devices, all alike; zero: one; at most 64
	MemoryLimit uint64 // bytes that programs may allocate per device; zero: half of the machine's memory

	// Stdout and Stderr receive the output of kernels, with one Write per printf. Nil: os.Stdout and os.Stderr. A host
	// that buffers its own output passes its streams, for the right order.
	Stdout, Stderr io.Writer

	Timeout time.Duration // limit for the duration of a kernel; zero: none

	// Schedule is a seed for unusual orders and pauses, see emu.Machine.Disturb; zero: none.
	Schedule uint64

	// Current stores each thread's device if there are several. Nil: a table by thread IDs, for callers whose threads
	// live as long as the driver.
	Current ThreadLocal

	// Check is the list of checks of kernels. Reports receives the findings, one Write each. Abort, if it is not nil,
	// is called after the first finding.
	Check   string // as for check.ParseModes; empty: no checks
	Reports io.Writer
	Abort   func()

	// Profile is the list of what to profile, as for profile.ParseModes.
	Profile string // empty: no profile

	Trace *trace.Switch // recorder for the times of work; nil: nothing is recorded
}

// Driver is the software GPU as a driver.Driver.
type Driver struct {
	chip    encoding.Chip
	target  codeobj.Target // the chip with the features in Options
	heap    *heap
	check   *check.Checker   // nil: kernels are not checked
	profile *profile.Profile // nil: kernels are not profiled
	devices []*device

	streams   *table[stream]
	events    *table[event]
	modules   *table[module]
	functions *table[function]

	graphs *table[graph]
	execs  *table[graphExec]
	nodes  *table[graphNode]

	registered registrations
	managed    registrations

	chosen ThreadLocal // current device by thread; used if there are several devices
}

var (
	_ driver.Driver              = (*Driver)(nil)
	_ driver.CooperativeLauncher = (*Driver)(nil)
)

// mostDevices is more than any machine has.
const mostDevices = 64

// Open makes the devices. It fails for an unknown chip, for too many devices, and if the system is out of memory.
func Open(o Options) (*Driver, error) {
	if o.Chip == "" {
		o.Chip = "gfx906"
	}
	chip, target, err := parseTarget(o.Chip)
	if err != nil {
		return nil, &settings.WrongValue{Name: "MGPU_SOFT_CHIP", Value: o.Chip, Why: err}
	}
	if o.Devices <= 0 {
		o.Devices = 1
	}
	if o.Devices > mostDevices {
		return nil, fmt.Errorf("soft: %d devices, more than %d", o.Devices, mostDevices)
	}
	if o.MemoryLimit == 0 {
		o.MemoryLimit = halfOfMemory()
	}
	if o.Stdout == nil {
		o.Stdout = os.Stdout
	}
	if o.Stderr == nil {
		o.Stderr = os.Stderr
	}
	d := &Driver{
		chip:      chip,
		target:    target,
		heap:      newHeap(o.Devices, o.MemoryLimit),
		streams:   newTable[stream](streamHandles),
		events:    newTable[event](eventHandles),
		modules:   newTable[module](moduleHandles),
		functions: newTable[function](functionHandles),
		graphs:    newTable[graph](graphHandles),
		execs:     newTable[graphExec](execHandles),
		nodes:     newTable[graphNode](nodeHandles),
		chosen:    o.Current,
	}
	if d.chosen == nil {
		d.chosen = new(byThreadID)
	}
	modes, err := check.ParseModes(o.Check)
	if err != nil {
		return nil, &settings.WrongValue{Name: "MGPU_CHECK", Value: o.Check, Why: err}
	}
	if modes.Any() {
		d.check = check.New(modes, traced{d.heap}, o.Reports, o.Abort)
		d.heap.guards = &guards{calls: d.check.Call, apart: modes.Memory, written: modes.Uninit}
	}
	told, err := profile.ParseModes(o.Profile)
	if err != nil {
		return nil, &settings.WrongValue{Name: "MGPU_PROFILE", Value: o.Profile, Why: err}
	}
	d.profile = profile.New(told)
	for i := range o.Devices {
		dev, err := newDevice(i, chip, d)
		if err != nil {
			return nil, err
		}
		dev.trace = o.Trace
		if o.Schedule != 0 {
			dev.machine.Disturb(o.Schedule + uint64(i))
		}
		dev.host, dev.timeout = newHost(dev, o.Stdout, o.Stderr), o.Timeout
		d.devices = append(d.devices, dev)
	}
	return d, nil
}

// TimeKernels implements driver.KernelTimer.
func (d *Driver) TimeKernels(took func(driver.Function, uint64)) {
	for _, dev := range d.devices {
		dev.took.Store(&took)
	}
}

func halfOfMemory() uint64 {
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) != nil {
		return 1 << 30
	}
	return uint64(info.Totalram) * uint64(info.Unit) / 2
}

// queueSize is the size of the part of a queue's description (amd_queue_t) that kernels may read. It has the upper
// halves of the flat apertures.
const (
	queueSize    = 256
	queueShared  = 0x40
	queuePrivate = 0x44
)

func newDevice(index int, chip encoding.Chip, in *Driver) (*device, error) {
	h := in.heap
	queue, err := h.alloc(queueSize, index, devices)
	if err != nil {
		return nil, fmt.Errorf("soft: %w", err)
	}
	fill(queue+queueShared, uint32(emu.SharedBase>>32), 1)
	fill(queue+queuePrivate, uint32(emu.PrivateBase>>32), 1)
	d := &device{index: index, heap: h, queue: queue, check: in.check, profile: in.profile, registered: &in.registered}
	d.machine = emu.NewMachine(chip, backing{h, index})
	d.null = newStream(d)
	return d, nil
}

// backing allocates a machine's scratch memory.
type backing struct {
	heap   *heap
	device int
}

func (b backing) Alloc(bytes uint64) (uint64, error) {
	addr, err := b.heap.alloc(bytes, b.device, devices)
	return uint64(addr), err
}

func (b backing) Free(addr uint64) { b.heap.free(uintptr(addr), devices) }

// Name implements driver.Driver.
func (d *Driver) Name() string { return "soft" }

// DeviceCount implements driver.Driver.
func (d *Driver) DeviceCount() int { return len(d.devices) }

// DeviceName implements driver.Driver. It returns an empty name for a device that does not exist.
func (d *Driver) DeviceName(device int) string {
	if device < 0 || device >= len(d.devices) {
		return ""
	}
	return d.target.String() + " (software)"
}

// SetDevice implements driver.Driver.
func (d *Driver) SetDevice(device int) error {
	if device < 0 || device >= len(d.devices) {
		return invalidDevice.of("hipSetDevice", "device %d of %d", device, len(d.devices))
	}
	if len(d.devices) > 1 {
		d.chosen.Store(device)
	}
	return nil
}

// Device implements driver.Driver.
func (d *Driver) Device() (int, error) {
	return d.current().index, nil
}

// Executed returns the number of instructions of waves that all ended kernels have executed on all devices.
func (d *Driver) Executed() uint64 {
	n := uint64(0)
	for _, dev := range d.devices {
		n += dev.machine.Executed()
	}
	return n
}

// current returns the calling thread's device.
func (d *Driver) current() *device {
	if len(d.devices) == 1 {
		return d.devices[0]
	}
	return d.devices[d.chosen.Load()]
}
