package softgpu

import (
	"fmt"
	"math/bits"
	"os"
	"sort"
	"sync"
)

// heap is the memory of all devices: pages from the system, single mappings for large blocks and chunks of equal slots
// for small ones. The exact range of every block is known. A program's block does not share its GPU pages with other
// blocks: kernels may use them to the end, unless memory is checked.
type heap struct {
	mu      sync.RWMutex
	regions []*region                      // by address
	open    [owners][slotClasses][]*region // chunks with a free slot
	used    []uint64                       // per device: bytes of the program's blocks
	limit   uint64                         // per device

	freed      []*region // the large blocks that were freed last, oldest first
	freedBytes uint64

	guards *guards // nil: memory is not checked
}

// owner says to whom a block belongs.
type owner uint8

const (
	programs owner = iota // the program allocates and frees it
	devices               // code, kernel arguments, scratch
	owners
)

// region is one mapping: a large block, or a chunk of slots, between margins that are not used, so that small overruns
// are detected and hit no other memory of the process.
type region struct {
	pages []byte  // including the margins
	lo    uintptr // of the used part
	hi    uintptr
	class int     // of its slots; -1: one large block
	owner owner   // of all its blocks
	slots []block // one slot for a large block
	free  []uint16
}

// block is the contents of a slot; size 0 if it is free.
type block struct {
	size      uint64
	device    int
	owner     owner
	condemned bool     // about to be freed: find does not return it any more
	trace     *history // nil unless memory is checked; stays after the block is freed
}

const (
	smallestSlot = 256
	slotClasses  = 8 // 256 bytes to 32 KiB
	chunkSize    = 256 << 10
)

// margin is the size of the unused memory on both sides of a region.
const margin = 64 << 10

var pageSize = uint64(os.Getpagesize())

// gpuPage is the smallest unit that a GPU maps. AMD's kernel driver and ROCm's allocator use pages of 4 KiB, NVIDIA's
// larger ones. An access beyond a block in its last page is not a fault there.
const gpuPage = 4 << 10

func wholePages(size uint64) uint64 { return (size + gpuPage - 1) &^ (gpuPage - 1) }

func newHeap(devices int, limit uint64) *heap {
	return &heap{used: make([]uint64, devices), limit: limit}
}

// slotClass returns the class whose slots have at least size bytes; slotClasses or more if there is none.
func slotClass(size uint64) int {
	return max(bits.Len64((size-1)/smallestSlot), 0)
}

// alloc returns the address of size bytes, aligned to 256. It returns an error if the device's memory, or the system's,
// is not sufficient.
func (h *heap) alloc(size uint64, device int, own owner) (uintptr, error) {
	if size > 1<<46 {
		return 0, fmt.Errorf("%d bytes are more than there are addresses", size)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if own == programs && (size > h.limit || h.used[device] > h.limit-size) {
		return 0, fmt.Errorf("%d bytes wanted, %d of %d in use", size, h.used[device], h.limit)
	}
	var addr uintptr
	b := block{size: size, device: device, owner: own}
	if class := h.classOf(size, own); class < slotClasses {
		r, err := h.chunk(class, own)
		if err != nil {
			return 0, err
		}
		last := len(r.free) - 1
		slot := r.free[last]
		r.free = r.free[:last]
		if last == 0 {
			h.open[own][class] = h.open[own][class][:len(h.open[own][class])-1]
		}
		r.slots[slot] = b
		addr = r.lo + uintptr(slot)*smallestSlot<<class
	} else {
		r, err := h.mapRegion((size + pageSize - 1) &^ (pageSize - 1))
		if err != nil {
			return 0, err
		}
		r.class, r.owner, r.slots = -1, own, []block{b}
		addr = r.lo
	}
	if own == programs {
		h.used[device] += size
	}
	return addr, nil
}

// chunk returns a region with a free slot of class, the last of the open ones.
func (h *heap) chunk(class int, own owner) (*region, error) {
	if open := h.open[own][class]; len(open) > 0 {
		return open[len(open)-1], nil
	}
	r, err := h.mapRegion(chunkSize)
	if err != nil {
		return nil, err
	}
	n := chunkSize / (smallestSlot << class)
	r.class, r.owner, r.slots, r.free = class, own, make([]block, n), make([]uint16, n)
	for i := range r.free {
		r.free[i] = uint16(n - 1 - i)
	}
	h.open[own][class] = append(h.open[own][class], r)
	return r, nil
}

func (h *heap) mapRegion(size uint64) (*region, error) { return h.mapRegionAligned(size, 1) }

// mapRegionAligned makes a region whose lo is a multiple of align, a power of two.
func (h *heap) mapRegionAligned(size, align uint64) (*region, error) {
	pages, err := mapMemory(size + align - 1 + 2*margin)
	if err != nil {
		return nil, fmt.Errorf("%d bytes from the system: %w", size, err)
	}
	lo := (addressOf(pages) + margin + uintptr(align-1)) &^ uintptr(align-1)
	r := &region{pages: pages, lo: lo, hi: lo + uintptr(size)}
	i := h.after(lo)
	h.regions = append(h.regions, nil)
	copy(h.regions[i+1:], h.regions[i:])
	h.regions[i] = r
	return r, nil
}

// after returns the index of the first region that ends above addr, including margins.
func (h *heap) after(addr uintptr) int {
	return sort.Search(len(h.regions), func(i int) bool { return h.regions[i].hi+margin > addr })
}

// at returns the region and the slot that contain addr; nil if there is none.
func (h *heap) at(addr uintptr) (*region, int) {
	i := h.after(addr)
	if i == len(h.regions) || addr < h.regions[i].lo || addr >= h.regions[i].hi {
		return nil, 0
	}
	r := h.regions[i]
	if r.class < 0 {
		return r, 0
	}
	return r, int((addr - r.lo) / (smallestSlot << r.class))
}

func (r *region) base(slot int) uintptr {
	if r.class < 0 {
		return r.lo
	}
	return r.lo + uintptr(slot)*(smallestSlot<<r.class)
}

// condemn hides the block that starts at addr from find, if own has one there. Earlier results of find stay usable.
func (h *heap) condemn(addr uintptr, own owner) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, slot := h.at(addr)
	if r == nil || r.base(slot) != addr || r.slots[slot].size == 0 || r.slots[slot].owner != own || r.slots[slot].condemned {
		return false
	}
	r.slots[slot].condemned = true
	return true
}

// free frees the block that starts at addr, if own has one there.
func (h *heap) free(addr uintptr, own owner) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	r, slot := h.at(addr)
	if r == nil || r.base(slot) != addr || r.slots[slot].size == 0 || r.slots[slot].owner != own {
		return false
	}
	b := r.slots[slot]
	if own == programs {
		h.used[b.device] -= b.size
	}
	r.slots[slot] = block{}
	switch {
	case h.quarantined(r, slot, b.trace):
	case r.class >= 0:
		h.reuse(r, slot)
	default:
		h.retire(r)
	}
	return true
}

// reuse makes a slot available for the next block.
func (h *heap) reuse(r *region, slot int) {
	if r.free = append(r.free, uint16(slot)); len(r.free) == 1 {
		h.open[r.owner][r.class] = append(h.open[r.owner][r.class], r)
	}
}

// How many freed large blocks keep their addresses, and their total size. Meanwhile a use after free is a fault, and
// does not hit another mapping of the process.
const (
	mostFreed      = 64
	mostFreedBytes = 1 << 30
)

// retire returns r's pages to the system at once, and its addresses later.
func (h *heap) retire(r *region) {
	size := uint64(len(r.pages))
	most, mostBytes := mostFreed, uint64(mostFreedBytes)
	if h.guards != nil && h.guards.apart {
		most, mostBytes = mostFreedLong, mostFreedLong*mostFreedBytes
	}
	if r.owner != programs || size > mostBytes || !closeMemory(r.pages) {
		h.drop(r)
		return
	}
	h.freed = append(h.freed, r)
	h.freedBytes += size
	for len(h.freed) > most || h.freedBytes > mostBytes {
		oldest := h.freed[0]
		h.freed = h.freed[1:]
		h.freedBytes -= uint64(len(oldest.pages))
		h.drop(oldest)
	}
}

// drop returns r's addresses to the system.
func (h *heap) drop(r *region) {
	i := h.after(r.lo)
	h.regions = append(h.regions[:i], h.regions[i+1:]...)
	unmapMemory(r.pages)
}

// find returns the range and the device of the block that contains addr.
func (h *heap) find(addr uintptr) (lo, hi uintptr, b block, ok bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	r, slot := h.at(addr)
	if r == nil || r.slots[slot].size == 0 || r.slots[slot].condemned {
		return 0, 0, block{}, false
	}
	b, lo = r.slots[slot], r.base(slot)
	hi = lo + uintptr(b.size)
	return lo, hi, b, addr < hi
}

// exact reports whether kernels may use a program's blocks only up to their last byte.
func (h *heap) exact() bool { return h.guards != nil && h.guards.apart }

// window returns the range around addr that kernels may use. Loads as wide as their alignment may reach beyond the end
// of a block.
func (h *heap) window(addr uintptr, write bool) (lo, hi uintptr, ok bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	r, slot := h.at(addr)
	if r == nil || r.slots[slot].size == 0 || r.slots[slot].condemned {
		return 0, 0, false
	}
	b := &r.slots[slot]
	lo, size := r.base(slot), b.size
	switch {
	case b.owner == programs && !h.exact():
		size = wholePages(size)
	case !write || !h.exact():
		size = (size + 3) &^ 3
	}
	hi = lo + uintptr(size)
	return lo, hi, addr < hi
}

// reserved reports whether addr is in a region. If not, it returns the largest range around addr, within [lo, hi), that
// no region overlaps.
func (h *heap) reserved(addr, lo, hi uintptr) (uintptr, uintptr, bool) {
	h.mu.RLock()
	defer h.mu.RUnlock()
	i := h.after(addr)
	if i < len(h.regions) {
		if h.regions[i].lo-margin <= addr {
			return 0, 0, true
		}
		hi = min(hi, h.regions[i].lo-margin)
	}
	if i > 0 {
		lo = max(lo, h.regions[i-1].hi+margin)
	}
	return lo, hi, false
}

// inUse returns how many bytes programs have allocated on a device.
func (h *heap) inUse(device int) uint64 {
	h.mu.RLock()
	defer h.mu.RUnlock()
	return h.used[device]
}
