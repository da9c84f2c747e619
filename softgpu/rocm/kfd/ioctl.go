package kfd

import (
	"syscall"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// call executes a control call on the caller's structure of size bytes at arg.
type call func(d *Driver, g *device, arg, size uint64) syscall.Errno

// of makes a call of a function that takes the structure.
func of[T any](do func(*Driver, *T) syscall.Errno) call {
	return func(d *Driver, _ *device, arg, size uint64) syscall.Errno {
		return exchange(arg, size, func(a *T) syscall.Errno { return do(d, a) })
	}
}

// with makes a call of a function that also takes the render node's device.
func with[T any](do func(*Driver, *device, *T) syscall.Errno) call {
	return func(d *Driver, g *device, arg, size uint64) syscall.Errno {
		return exchange(arg, size, func(a *T) syscall.Errno { return do(d, g, a) })
	}
}

// accepted is a call without an effect.
func accepted(*Driver, *device, uint64, uint64) syscall.Errno { return 0 }

// refused is a call that fails as in the kernel's driver without the feature.
func refused(errno syscall.Errno) call {
	return func(*Driver, *device, uint64, uint64) syscall.Errno { return errno }
}

// controls are the calls of /dev/kfd by number. Others are unknown, as in an older driver.
var controls = map[uint64]call{
	0x01: of((*Driver).getVersion),
	0x02: of((*Driver).createQueue),
	0x03: of((*Driver).destroyQueue),
	0x04: accepted, // SET_MEMORY_POLICY: there are no caches
	0x05: of((*Driver).getClockCounters),
	0x07: of((*Driver).updateQueue),
	0x08: of((*Driver).createEvent),
	0x09: of((*Driver).destroyEvent),
	0x0a: of((*Driver).setEvent),
	0x0b: of((*Driver).resetEvent),
	0x0c: of((*Driver).waitEvents),
	0x0d: refused(syscall.EPERM), // DBG_REGISTER and the next three, which the kernel's driver has given up
	0x0e: refused(syscall.EPERM),
	0x0f: refused(syscall.EPERM),
	0x10: refused(syscall.EPERM),
	0x11: accepted, // SET_SCRATCH_BACKING_VA: the emulator has its own
	0x12: of((*Driver).getTileConfig),
	0x13: accepted, // SET_TRAP_HANDLER: the emulator reports traps itself
	0x14: of((*Driver).getApertures),
	0x15: accepted, // ACQUIRE_VM
	0x16: of((*Driver).alloc),
	0x17: of((*Driver).free),
	0x18: of((*Driver).mapToGPU),
	0x19: of((*Driver).unmapFromGPU),
	0x1a: of((*Driver).setCUMask),
	0x1b: refused(syscall.EINVAL), // GET_QUEUE_WAVE_STATE: of a queue that no debugger has stopped
	0x1c: of((*Driver).dmabufInfo),
	0x1d: of((*Driver).importDMABuf),
	0x1e: of((*Driver).allocGWS),
	0x1f: of((*Driver).smiEvents),
	0x20: svm,
	0x21: of((*Driver).setXNACK),
	0x22: refused(syscall.EACCES), // CRIU: of a process without CAP_CHECKPOINT_RESTORE
	0x23: of((*Driver).availableMemory),
	0x24: of((*Driver).exportDMABuf),
	0x25: of((*Driver).runtimeEnable),
	0x26: refused(syscall.EINVAL), // DBG_TRAP: where the driver schedules queues itself
	0x80: of((*Driver).importIPC),
	0x81: of((*Driver).exportIPC),
}

// Ioctl executes a control call on a file, 0 for /dev/kfd and then the render nodes. Only the number
// selects the call, since structures grow.
func (d *Driver) Ioctl(file int, request, arg uint64) syscall.Errno {
	number, size := request&0xff, request>>16&0x3fff
	if file == 0 {
		if do := controls[number]; do != nil {
			return do(d, nil, arg, size)
		}
		return syscall.ENOTTY
	}
	if do := renders[number]; do != nil {
		return do(d, d.devices[file-1], arg, size)
	}
	return syscall.EINVAL
}

type versionArgs struct{ Major, Minor uint32 }

// getVersion: 1.16 has ages of events, virtual memory, dma-bufs, memory without gaps, and errors of queues.
func (d *Driver) getVersion(a *versionArgs) syscall.Errno {
	*a = versionArgs{1, 16}
	return 0
}

type clockArgs struct {
	GPU, CPU, System, Frequency uint64
	GPUID, _                    uint32
}

// getClockCounters: all clocks count nanoseconds.
func (d *Driver) getClockCounters(a *clockArgs) syscall.Errno {
	ns := hsa.Now()
	a.GPU, a.CPU, a.System, a.Frequency = ns, ns, ns, 1e9
	return 0
}

type tileArgs struct {
	Tiles, MacroTiles         uint64
	TileCount, MacroTileCount uint32
	GPUID                     uint32
	AddressConfig             uint32
	Banks, Ranks              uint32
}

func (d *Driver) getTileConfig(a *tileArgs) syscall.Errno {
	if d.byID(a.GPUID) == nil {
		return syscall.EINVAL
	}
	a.TileCount, a.MacroTileCount = 0, 0
	a.AddressConfig, a.Banks, a.Ranks = uint32(d.gpu.Model.Tiles), 4, 1
	return 0
}

type aperturesArgs struct {
	Array    uint64
	Count, _ uint32
}

type apertures struct {
	LDSBase, LDSLimit         uint64
	ScratchBase, ScratchLimit uint64
	MemoryBase, MemoryLimit   uint64
	GPUID, _                  uint32
}

// getApertures stores the ranges of the GPUs' address spaces. The memory's range ends with the host's
// addresses, so that the host chooses addresses by mmap.
func (d *Driver) getApertures(a *aperturesArgs) syscall.Errno {
	for i, g := range d.devices {
		if a.Array == 0 || i >= int(a.Count) {
			break
		}
		*at[apertures](a.Array + uint64(i)*sizeOf[apertures]()) = apertures{
			LDSBase: emu.SharedBase, LDSLimit: emu.SharedBase + 1<<32 - 1,
			ScratchBase: emu.PrivateBase, ScratchLimit: emu.PrivateBase + 1<<32 - 1,
			MemoryBase: 16 << 10, MemoryLimit: 1<<47 - 1, GPUID: g.id,
		}
	}
	a.Count = uint32(len(d.devices))
	return 0
}

type xnackArgs struct{ Enabled int32 }

// setXNACK chooses whether GPUs follow the host's page tables; a negative number asks.
func (d *Driver) setXNACK(a *xnackArgs) syscall.Errno {
	if a.Enabled >= 0 && !d.FollowPageTables(a.Enabled > 0) {
		if a.Enabled > 0 && !d.gpu.XNACK {
			return syscall.EPERM
		}
		return syscall.EBUSY
	}
	a.Enabled = 0
	if d.FollowsPageTables() {
		a.Enabled = 1
	}
	return 0
}

type runtimeArgs struct {
	Debug              uint64
	Mode, Capabilities uint32
}

// runtimeEnable takes the list of loaded code objects, which faults name kernels by, and has errors of
// queues reported through their save areas from now on.
func (d *Driver) runtimeEnable(a *runtimeArgs) syscall.Errno {
	const enable = 1
	d.mu.Lock()
	defer d.mu.Unlock()
	d.runtime = a.Mode&enable != 0
	d.SetDebug(0)
	if d.runtime {
		d.SetDebug(a.Debug)
	}
	return 0
}
