package modulecache

import (
	"fmt"
	"hash/maphash"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// maxImage bounds the length that an image's headers may claim.
const maxImage = 2 << 30

// seed is the seed of the hashes of images and names. Hashes are compared only within this process.
var seed = maphash.MakeSeed()

func hashOf(image []byte) uint64 { return maphash.Bytes(seed, image) }

// imageCopy is the cache's own copy of an image, outside the Go heap. It is page-aligned and followed by at least one
// zero byte.
type imageCopy struct {
	image []byte
	chunk *chunk // that has the copy; nil: the copy is a mapping of its own
}

// free ends the use of a copy's memory.
func (m imageCopy) free() {
	whole := m.image[:len(m.image)+1]
	if m.chunk != nil {
		m.chunk.free(whole)
		return
	}
	_ = syscall.Munmap(whole)
}

// copyOf copies an image of fewer than windowBytes.
func (cs *chunks) copyOf(image []byte) (imageCopy, error) {
	whole, c, err := cs.alloc(len(image) + 1)
	if err != nil {
		return imageCopy{}, noMemory(err)
	}
	copy(whole, image)
	whole[len(image)] = 0
	return imageCopy{whole[:len(image)], c}, nil
}

// mapCopy makes a mapping of length bytes that fill fills. It is read-only afterwards.
func mapCopy(length int, fill func([]byte) error) (imageCopy, error) {
	whole, err := syscall.Mmap(-1, 0, length+1, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return imageCopy{}, noMemory(err)
	}
	if err := fill(whole[:length]); err != nil {
		_ = syscall.Munmap(whole)
		return imageCopy{}, err
	}
	// This only protects against stray writes: the copy is usable if it fails.
	_ = syscall.Mprotect(whole, syscall.PROT_READ)
	return imageCopy{image: whole[:length]}, nil
}

func noMemory(err error) error { return fmt.Errorf("no memory for a copy: %w", err) }

func invalidImage(q *request, reason string) error {
	return &driver.Error{
		Call: fmt.Sprintf("%s(%#x)", q.call(), q.addr), Code: driver.InvalidImage,
		Detail: fmt.Sprintf("image at %#x: %s", q.addr, reason),
	}
}
