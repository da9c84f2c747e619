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

// Options are what a driver can be opened with. The zero value is right for
// most.
type Options struct {
	Chip        string // as LLVM calls it, with features if they matter ("gfx90a:xnack-"); empty: gfx906
	Devices     int    // how many there are, all alike; zero: one; at most 64
	MemoryLimit uint64 // bytes that programs may allocate per device; zero: half of the machine's

	// Stdout and Stderr take what kernels print, one Write per printf. Nil:
	// os.Stdout and os.Stderr. A host with buffers of its own wants them in its order.
	Stdout, Stderr io.Writer

	Timeout time.Duration // after which a kernel is ended; zero: never

	// Schedule is a seed for orders and pauses that programs are not used to, see
	// emu.Machine.Disturb; zero: none.
	Schedule uint64

	// Current keeps each thread's device if there are several. Nil: a table by
	// thread ids, for callers whose threads live as long as the driver.
	Current ThreadLocal

	// Check is what kernels are watched for. Reports is where the findings go, one
	// Write each; Abort is called after the first if it is not nil.
	Check   string // empty: nothing; else a list that check.ParseModes knows
	Reports io.Writer
	Abort   func()

	// Profile is what is told of the kernels that ran: a list that profile.ParseModes knows.
	Profile string // empty: nothing

	Trace *trace.Switch // takes when work was done; nil: nothing does
}

// Driver is the software GPU as a driver.Driver.
type Driver struct {
	chip    encoding.Chip
	target  codeobj.Target // the chip with the features that Options name
	heap    *heap
	check   *check.Checker   // nil: kernels are not watched
	profile *profile.Profile // nil: nor profiled
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

	chosen ThreadLocal // current device by thread; used if there is more than one
}

var (
	_ driver.Driver              = (*Driver)(nil)
	_ driver.CooperativeLauncher = (*Driver)(nil)
)

// mostDevices is more than any machine has.
const mostDevices = 64

// Open makes the devices. It fails for a chip that is not known, for more devices
// than Options allow, and where the system gives no memory.
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

// queueSize is the part of a queue's description (amd_queue_t) that kernels may
// read: it holds the upper halves of the flat apertures.
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

// backing gives a machine its scratch.
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

// DeviceName implements driver.Driver; it is empty if there is no such device.
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
	dev, err := d.current("hipGetDevice")
	if err != nil {
		return 0, err
	}
	return dev.index, nil
}

// Executed is how many instructions of waves (64 work-items each) all kernels
// that are over have executed on all devices.
func (d *Driver) Executed() uint64 {
	n := uint64(0)
	for _, dev := range d.devices {
		n += dev.machine.Executed()
	}
	return n
}

// current is the calling thread's device.
func (d *Driver) current(string) (*device, error) {
	if len(d.devices) == 1 {
		return d.devices[0], nil
	}
	return d.devices[d.chosen.Load()], nil
}
