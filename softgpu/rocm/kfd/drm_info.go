package kfd

import "syscall"

type infoArgs struct {
	Out         uint64
	Size, Query uint32
	Parameters  [4]uint32
}

// deviceInfo is struct drm_amdgpu_info_device, as far as it is filled in.
type deviceInfo struct {
	Device, Chip, External, PCI        uint32
	Family, Engines, Arrays            uint32
	CounterKHz                         uint32
	EngineClock, MemoryClock           uint64
	Units, AlwaysOn                    uint32
	Bitmap                             [4][4]uint32
	BackendMask, Backends, Contexts, _ uint32
	Flags, VAOffset, VAEnd             uint64
	Alignment, Fragment, GART, CERAM   uint32
	VRAMType, VRAMWidth                uint32
	_                                  [2]uint32 // VCE harvest, double offchip LDS
	_                                  [4]uint64 // addresses of buffers
	_                                  [4]uint32 // and their sizes
	WaveFront, VGPRs, UnitsEach, Depth uint32
}

// The kinds of AMDGPU_INFO that are more than zeros.
const (
	infoWorking   = 0x00
	infoHardware  = 0x02
	infoFirmware  = 0x0e
	infoMemories  = 0x14
	infoRegisters = 0x15
	infoDevice    = 0x16
	infoMemory    = 0x19
	infoSensor    = 0x1d
)

// heap is infoMemory's result for a kind of memory.
type heap struct{ Total, Usable, Used, Largest uint64 }

func (d *Driver) info(g *device, a *infoArgs) syscall.Errno {
	if a.Out == 0 || a.Size > 1<<20 {
		return syscall.EINVAL
	}
	clear(bytesAt(a.Out, uint64(a.Size)))
	size, m := uint64(a.Size), &d.gpu.Model
	used := d.gpu.Memory - d.Left(g.node)
	switch a.Query {
	case infoWorking:
		storeAt(a.Out, size, uint32(1))
	case infoDevice:
		i := deviceInfo{
			Device: uint32(m.Device), Chip: 1, External: 1, PCI: 1, Family: uint32(m.Family), Engines: uint32(m.Engines), Arrays: uint32(m.Arrays),
			CounterKHz: 1e6, EngineClock: m.Clock * 1000, MemoryClock: memoryClock * 1000, Units: uint32(d.gpu.Units),
			VAOffset: hugePage, VAEnd: canonical, Alignment: page, Fragment: hugePage, GART: page,
			VRAMType: 6, VRAMWidth: memoryWidth, WaveFront: 64, VGPRs: 256, UnitsEach: uint32(m.Unit), Depth: 32,
		}
		for e := range min(m.Engines, 4) {
			i.Bitmap[e][0] = 1<<m.Unit - 1
		}
		storeAt(a.Out, size, i)
	case infoRegisters:
		if a.Parameters[1] == 1 && a.Parameters[0] == addressConfig {
			storeAt(a.Out, size, uint32(m.Tiles))
		}
	case infoMemories:
		storeAt(a.Out, size, [3]uint64{d.gpu.Memory, d.gpu.Memory, d.hostMemory()})
	case infoMemory:
		local := heap{Total: d.gpu.Memory, Usable: d.gpu.Memory, Used: used, Largest: d.gpu.Memory - used}
		host := heap{Total: d.hostMemory(), Usable: d.hostMemory(), Largest: d.hostMemory()}
		storeAt(a.Out, size, [3]heap{local, local, host})
	case infoHardware, infoFirmware, infoSensor:
	}
	return 0
}

// addressConfig is the number of the register GB_ADDR_CONFIG.
const addressConfig = 0x263e
