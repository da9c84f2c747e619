package softgpu

import (
	"encoding/binary"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// hiddenValues has the arguments that the runtime supplies. Kinds that are missing here are zero: offsets, since grids
// start at the origin; remainders, since all workgroups are whole; buffers and queues that do not exist.
var hiddenValues = map[codeobj.ValueKind]func(extent) uint64{
	codeobj.HiddenBlockCountX:    func(e extent) uint64 { return uint64(e.grid[0]) },
	codeobj.HiddenBlockCountY:    func(e extent) uint64 { return uint64(e.grid[1]) },
	codeobj.HiddenBlockCountZ:    func(e extent) uint64 { return uint64(e.grid[2]) },
	codeobj.HiddenGroupSizeX:     func(e extent) uint64 { return uint64(e.block[0]) },
	codeobj.HiddenGroupSizeY:     func(e extent) uint64 { return uint64(e.block[1]) },
	codeobj.HiddenGroupSizeZ:     func(e extent) uint64 { return uint64(e.block[2]) },
	codeobj.HiddenGridDims:       extent.dims,
	codeobj.HiddenDynamicLDSSize: func(e extent) uint64 { return uint64(e.lds) },
	codeobj.HiddenPrivateBase:    func(extent) uint64 { return emu.PrivateBase >> 32 },
	codeobj.HiddenSharedBase:     func(extent) uint64 { return emu.SharedBase >> 32 },
	codeobj.HiddenQueuePtr:       func(e extent) uint64 { return uint64(e.queue) },
}

// extent is the data of a launch for hidden arguments.
type extent struct {
	grid, block [3]uint32
	lds         uint32 // dynamic bytes
	queue       uintptr
}

// dims returns the number of dimensions of the launch.
func (e extent) dims() uint64 {
	switch {
	case e.grid[2] > 1 || e.block[2] > 1:
		return 3
	case e.grid[1] > 1 || e.block[1] > 1:
		return 2
	}
	return 1
}

// writeHidden writes the hidden arguments of f.
func (f *function) writeHidden(kernarg []byte, e extent) {
	for i := range f.hidden {
		a := &f.hidden[i]
		value := hiddenValues[a.Kind]
		if value == nil {
			continue
		}
		v := value(e)
		for at := range min(a.Size, 8) {
			kernarg[a.Offset+at] = byte(v >> (8 * at))
		}
	}
}

// packetSize is the length of a dispatch packet (hsa_kernel_dispatch_packet_t).
const packetSize = 64

// writePacket writes the packet from which code object version 4 reads its sizes. b is zero.
func (f *function) writePacket(b []byte, e extent, kernarg uintptr) {
	le := binary.LittleEndian
	le.PutUint16(b[0:], 2) // type: kernel dispatch
	le.PutUint16(b[2:], uint16(e.dims()))
	for i := range 3 {
		le.PutUint16(b[4+2*i:], uint16(e.block[i]))
		le.PutUint32(b[12+4*i:], e.grid[i]*e.block[i])
	}
	le.PutUint32(b[24:], f.kernel.Private)
	le.PutUint32(b[28:], f.kernel.LDS+e.lds)
	le.PutUint64(b[40:], uint64(kernarg))
}
