package soft

import (
	"encoding/binary"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/soft/emu"
)

// hiddenValues gives the arguments that the runtime supplies. Kinds that are
// not here are zero: offsets, since grids start at the origin; remainders,
// since their workgroups are all whole; buffers and queues that do not exist.
var hiddenValues = map[codeobj.ValueKind]func(*op) uint64{
	codeobj.HiddenBlockCountX:    func(o *op) uint64 { return uint64(o.grid[0]) },
	codeobj.HiddenBlockCountY:    func(o *op) uint64 { return uint64(o.grid[1]) },
	codeobj.HiddenBlockCountZ:    func(o *op) uint64 { return uint64(o.grid[2]) },
	codeobj.HiddenGroupSizeX:     func(o *op) uint64 { return uint64(o.block[0]) },
	codeobj.HiddenGroupSizeY:     func(o *op) uint64 { return uint64(o.block[1]) },
	codeobj.HiddenGroupSizeZ:     func(o *op) uint64 { return uint64(o.block[2]) },
	codeobj.HiddenGridDims:       func(o *op) uint64 { return gridDims(o) },
	codeobj.HiddenDynamicLDSSize: func(o *op) uint64 { return uint64(o.lds) },
	codeobj.HiddenPrivateBase:    func(*op) uint64 { return emu.PrivateBase >> 32 },
	codeobj.HiddenSharedBase:     func(*op) uint64 { return emu.SharedBase >> 32 },
	codeobj.HiddenQueuePtr:       func(o *op) uint64 { return uint64(o.fn.module.dev.queue) },
}

// gridDims is how many dimensions a launch uses.
func gridDims(o *op) uint64 {
	switch {
	case o.grid[2] > 1 || o.block[2] > 1:
		return 3
	case o.grid[1] > 1 || o.block[1] > 1:
		return 2
	}
	return 1
}

// writeHidden fills in the hidden arguments of o's kernel.
func writeHidden(kernarg []byte, o *op) {
	for i := range o.fn.hidden {
		a := &o.fn.hidden[i]
		value := hiddenValues[a.Kind]
		if value == nil {
			continue
		}
		v := value(o)
		for at := range min(a.Size, 8) {
			kernarg[a.Offset+at] = byte(v >> (8 * at))
		}
	}
}

// packetSize is the length of a dispatch packet (hsa_kernel_dispatch_packet_t).
const packetSize = 64

// writePacket fills in the packet that code object version 4 asks for its
// sizes. b is zero.
func writePacket(b []byte, o *op, kernarg uintptr) {
	le := binary.LittleEndian
	le.PutUint16(b[0:], 2) // type: kernel dispatch
	le.PutUint16(b[2:], uint16(gridDims(o)))
	for i := range 3 {
		le.PutUint16(b[4+2*i:], uint16(o.block[i]))
		le.PutUint32(b[12+4*i:], o.grid[i]*o.block[i])
	}
	le.PutUint32(b[24:], o.fn.kernel.Private)
	le.PutUint32(b[28:], o.fn.kernel.LDS+o.lds)
	le.PutUint64(b[40:], uint64(kernarg))
}
