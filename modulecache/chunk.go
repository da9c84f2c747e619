package modulecache

import (
	"math/bits"
	"slices"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// chunks are memory for the copies of small images, outside the Go heap. A copy takes whole pages of a chunk, which are
// used again once the copy is freed: to map, protect and unmap each copy takes longer than to copy it.
type chunks struct {
	mu  locks.Mutex[locks.Chunks]
	all []*chunk // with free pages
}

// chunk is a mapping of chunkPages pages.
type chunk struct {
	of     *chunks
	memory []byte
	used   uint64 // a bit for each page; guarded by chunks.mu
}

const (
	chunkPage  = 4096 // also where the system's pages are larger
	chunkPages = 64

	allUsed = ^uint64(0)
)

// alloc returns memory of n bytes that begins at a page, and its chunk. n is at most windowBytes.
func (cs *chunks) alloc(n int) ([]byte, *chunk, error) {
	pages := (n + chunkPage - 1) / chunkPage
	cs.mu.Lock()
	defer cs.mu.Unlock()
	for i, c := range cs.all {
		if at := c.find(pages); at >= 0 {
			return cs.use(i, at, pages)[:n], c, nil
		}
	}
	memory, err := syscall.Mmap(-1, 0, chunkPages*chunkPage, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, nil, err
	}
	c := &chunk{of: cs, memory: memory}
	cs.all = append(cs.all, c)
	return cs.use(len(cs.all)-1, 0, pages)[:n], c, nil
}

// find returns the first page of so many free ones, or -1.
func (c *chunk) find(pages int) int {
	runs := ^c.used // a bit for each page with which a run of free pages begins
	for range pages - 1 {
		runs &= runs >> 1
	}
	if runs == 0 {
		return -1
	}
	return bits.TrailingZeros64(runs)
}

func pageBits(at, pages int) uint64 { return (1<<pages - 1) << at }

// use marks pages of the chunk at an index as used.
func (cs *chunks) use(index, at, pages int) []byte {
	cs.mu.AssertHeld()
	c := cs.all[index]
	if c.used |= pageBits(at, pages); c.used == allUsed {
		cs.all = slices.Delete(cs.all, index, index+1)
	}
	return c.memory[at*chunkPage : (at+pages)*chunkPage : (at+pages)*chunkPage]
}

// free makes the pages of memory that alloc returned free. One chunk without used pages is kept, others are unmapped.
func (c *chunk) free(memory []byte) {
	cs := c.of
	at := int(address(memory)-address(c.memory)) / chunkPage
	pages := (len(memory) + chunkPage - 1) / chunkPage
	cs.mu.Lock()
	defer cs.mu.Unlock()
	if c.used == allUsed {
		cs.all = append(cs.all, c)
	}
	c.used &^= pageBits(at, pages)
	if c.used == 0 && slices.ContainsFunc(cs.all, func(o *chunk) bool { return o != c && o.used == 0 }) {
		cs.all = slices.DeleteFunc(cs.all, func(o *chunk) bool { return o == c })
		_ = syscall.Munmap(c.memory)
	}
}
