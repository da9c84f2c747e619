package memory

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
)

// Accesses to host memory by address. Callers have found the addresses in a window of the wave's memory, or in its LDS.
// Programs of the simulated GPU may race with each other, so the race detector is off here.

func at(addr uint64) unsafe.Pointer {
	p := uintptr(addr)
	return *(*unsafe.Pointer)(unsafe.Pointer(&p))
}

// Load8 loads a byte.
//
//go:norace
func Load8(addr uint64) uint32 { return uint32(*(*uint8)(at(addr))) }

// Load16 loads 16 bits.
//
//go:norace
func Load16(addr uint64) uint32 { return uint32(*(*uint16)(at(addr))) }

// Load32 loads a word.
//
//go:norace
func Load32(addr uint64) uint32 { return *(*uint32)(at(addr)) }

// Store8 stores a byte.
//
//go:norace
func Store8(addr uint64, v uint32) { *(*uint8)(at(addr)) = uint8(v) }

// Store16 stores 16 bits.
//
//go:norace
func Store16(addr uint64, v uint32) { *(*uint16)(at(addr)) = uint16(v) }

// Store32 stores a word.
//
//go:norace
func Store32(addr uint64, v uint32) { *(*uint32)(at(addr)) = v }

// Programs of a GPU pass data on together with a flag: who reads a new flag has the new data. A GPU moves a lane's
// eight aligned bytes at once, and so do functions on pairs. Between lanes, and between the pairs of a lane, stores
// go upwards and loads downwards, as flags lie after their data.

// Move copies size bytes to higher addresses of one place from those of another, which do not overlap: eight at once, and
// the last ones one by one.
//
//go:norace
func Move(to, from, size uint64) {
	for ; size >= 8; to, from, size = to+8, from+8, size-8 {
		*(*uint64)(at(to)) = *(*uint64)(at(from))
	}
	for ; size > 0; to, from, size = to+1, from+1, size-1 {
		*(*uint8)(at(to)) = *(*uint8)(at(from))
	}
}

// LoadPair loads two words at once.
//
//go:norace
func LoadPair(addr uint64) (lo, hi uint32) {
	v := *(*uint64)(at(addr))
	return uint32(v), uint32(v >> 32)
}

// StorePair stores two words at once.
//
//go:norace
func StorePair(addr uint64, lo, hi uint32) { *(*uint64)(at(addr)) = uint64(lo) | uint64(hi)<<32 }

// GatherPairs loads two words for each of the first lanes, from step bytes past its address.
//
//go:norace
func GatherPairs(lo, hi *alu.Lanes, addr *[64]uint64, step uint64, lanes int) {
	for l := lanes - 1; l >= 0; l-- {
		lo[l], hi[l] = LoadPair(addr[l&63] + step)
	}
}

// ScatterPairs stores two words for each of the first lanes.
//
//go:norace
func ScatterPairs(lo, hi *alu.Lanes, addr *[64]uint64, step uint64, lanes int) {
	for l := range lanes {
		StorePair(addr[l&63]+step, lo[l], hi[l])
	}
}

// GatherPairsAt loads two words for each of the first lanes, from base plus its offset, which may be in lo or hi.
//
//go:norace
func GatherPairsAt(lo, hi, off *alu.Lanes, base uint64, lanes int) {
	for l := lanes - 1; l >= 0; l-- {
		lo[l], hi[l] = LoadPair(base + uint64(off[l]))
	}
}

// ScatterPairsAt stores two words for each of the first lanes, at base plus its offset.
//
//go:norace
func ScatterPairsAt(lo, hi, off *alu.Lanes, base uint64, lanes int) {
	for l := range lanes {
		StorePair(base+uint64(off[l]), lo[l], hi[l])
	}
}

// portableGather loads a word for each lane, step bytes after its address.
//
//go:norace
func portableGather(d *alu.Lanes, addr *[64]uint64, step uint64, lanes int) {
	for i := range lanes {
		p := uintptr(addr[i] + step)
		d[i] = *(*uint32)(*(*unsafe.Pointer)(unsafe.Pointer(&p)))
	}
}

// portableScatter stores a word for each lane.
//
//go:norace
func portableScatter(s *alu.Lanes, addr *[64]uint64, step uint64, lanes int) {
	for i := range lanes {
		p := uintptr(addr[i] + step)
		*(*uint32)(*(*unsafe.Pointer)(unsafe.Pointer(&p))) = s[i]
	}
}

// portableGatherAt loads a word for each lane, from base plus its offset.
//
//go:norace
func portableGatherAt(d, off *alu.Lanes, base uint64, lanes int) {
	for i := range lanes {
		p := uintptr(base + uint64(off[i]))
		d[i] = *(*uint32)(*(*unsafe.Pointer)(unsafe.Pointer(&p)))
	}
}

// portableScatterAt stores a word for each lane.
//
//go:norace
func portableScatterAt(s, off *alu.Lanes, base uint64, lanes int) {
	for i := range lanes {
		p := uintptr(base + uint64(off[i]))
		*(*uint32)(*(*unsafe.Pointer)(unsafe.Pointer(&p))) = s[i]
	}
}

// LoadRow loads the words at addr into the first lanes.
//
//go:norace
func LoadRow(d *alu.Lanes, addr uint64, lanes int) {
	copy(d[:lanes], unsafe.Slice((*uint32)(at(addr)), lanes))
}

// StoreRow stores the words of the first lanes at addr.
//
//go:norace
func StoreRow(s *alu.Lanes, addr uint64, lanes int) {
	copy(unsafe.Slice((*uint32)(at(addr)), lanes), s[:lanes])
}

// Row32 returns the 64 words at addr. In waves of 32 lanes only the first 32 have to be there.
//
//go:nocheckptr
func Row32(addr uint64) *alu.Lanes { return (*alu.Lanes)(at(addr)) }

// TakeRow copies the lanes of m.
//
//go:norace
func TakeRow(d, s *alu.Lanes, m uint64) {
	if m == alu.Full {
		*d = *s
		return
	}
	for i := range d {
		if m>>uint(i)&1 != 0 {
			d[i] = s[i]
		}
	}
}

// ByteAt returns a byte of memory that is known to be mapped.
func ByteAt(addr uint64) byte { return byte(Load8(addr)) }
