package memory

import (
	"math"
	"sync/atomic"
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

// Row32 returns the 64 words at addr.
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

// Update32 atomically replaces a word by f of it, and returns the old value. addr is aligned.
func Update32(addr uint64, f func(old uint64) uint64) uint64 {
	p := (*uint32)(at(addr))
	for {
		old := atomic.LoadUint32(p)
		if atomic.CompareAndSwapUint32(p, old, uint32(f(uint64(old)))) {
			return uint64(old)
		}
	}
}

// Update64 atomically replaces a number in memory by f of it.
func Update64(addr uint64, f func(old uint64) uint64) uint64 {
	p := (*uint64)(at(addr))
	for {
		old := atomic.LoadUint64(p)
		if atomic.CompareAndSwapUint64(p, old, f(old)) {
			return old
		}
	}
}

// eachWord replaces a word for each of the first lanes by f of it. The word is off after base and aligned. The old
// values go to old, which may be any of the other registers.
func eachWord(old, off, data *alu.Lanes, base uint64, lanes int, f func(old, data uint32) uint32) {
	for l := range lanes {
		p := (*uint32)(at(base + uint64(off[l])))
		was := *p
		*p = f(was, data[l])
		old[l] = was
	}
}

// AnyWord is eachWord for any function.
//
//go:norace
func AnyWord(old, off, data *alu.Lanes, base uint64, lanes int, f AtomicFunc) {
	for l := range lanes {
		p := (*uint32)(at(base + uint64(off[l])))
		was := *p
		*p = uint32(f(uint64(was), uint64(data[l]), 0))
		old[l] = was
	}
}

// SharedWord is AnyWord for memory that others may write concurrently.
func SharedWord(old, off, data *alu.Lanes, base uint64, lanes int, f AtomicFunc) {
	for l := range lanes {
		p, x := (*uint32)(at(base+uint64(off[l]))), uint64(data[l])
		was := atomic.LoadUint32(p)
		for !atomic.CompareAndSwapUint32(p, was, uint32(f(uint64(was), x, 0))) {
			was = atomic.LoadUint32(p)
		}
		old[l] = was
	}
}

// SharedRow is SharedWord for consecutive words, the first of which is at a multiple of 8. It updates two at once,
// since an atomic of the processor takes much longer than the operation.
func SharedRow(old, data *alu.Lanes, addr uint64, lanes int, f AtomicFunc) {
	for l := 0; l < lanes; l += 2 {
		p, x, y := (*uint64)(at(addr+uint64(l)*4)), uint64(data[l]), uint64(data[l+1])
		was := atomic.LoadUint64(p)
		for !atomic.CompareAndSwapUint64(p, was, uint64(uint32(f(was&math.MaxUint32, x, 0)))|f(was>>32, y, 0)<<32) {
			was = atomic.LoadUint64(p)
		}
		old[l], old[l+1] = uint32(was), uint32(was>>32)
	}
}

// UpdateOne updates one word, which others may write concurrently, for the first lanes. old is a different register
// from the others. temp is on the heap, where it does not move.
func UpdateOne(old, data, temp *alu.Lanes, addr uint64, lanes int, update func(old, off, data *alu.Lanes, base uint64, lanes int)) {
	for p := (*uint32)(at(addr)); ; {
		was := atomic.LoadUint32(p)
		temp[0] = was
		update(old, &alu.Zeros, data, uint64(uintptr(unsafe.Pointer(temp))), lanes)
		if atomic.CompareAndSwapUint32(p, was, temp[0]) {
			return
		}
	}
}

// ByteAt returns a byte of memory that is known to be mapped.
func ByteAt(addr uint64) byte { return byte(Load8(addr)) }
