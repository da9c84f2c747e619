package modulecache

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"syscall"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// scratchBytes is how much of an image is compared at a time: small enough for the processor's cache, and large enough
// that the cost of the system call does not matter.
const scratchBytes = 64 << 10

// maxImage bounds the length that an image's headers may claim.
const maxImage = 2 << 30

// seed is the seed of the hashes of images and names. Hashes are compared only within this process.
var seed = maphash.MakeSeed()

func hashOf(image []byte) uint64 { return maphash.Bytes(seed, image) }

// sameBytes reports whether the memory at addr holds image.
func (c *Cache) sameBytes(image []byte, addr uintptr) (bool, error) {
	if same, known := c.cfg.Holds(addr, image); known {
		return same, nil
	}
	buf := c.scratch.Get().(*[scratchBytes]byte)
	defer c.scratch.Put(buf)
	for off := 0; off < len(image); off += scratchBytes {
		want := image[off:min(off+scratchBytes, len(image))]
		got := buf[:len(want)]
		if err := c.cfg.Read(got, addr+uintptr(off)); err != nil {
			return false, err
		}
		if !bytes.Equal(got, want) {
			return false, nil
		}
	}
	return true, nil
}

// mapCopy makes a read-only copy outside the Go heap. The copy is page-aligned and followed by at least one zero byte.
// fill fills in its bytes.
func mapCopy(length uint64, fill func([]byte) error) ([]byte, error) {
	if length == 0 || length > maxImage {
		return nil, fmt.Errorf("a length of %d bytes is not plausible", length)
	}
	whole, err := syscall.Mmap(-1, 0, int(length)+1, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_PRIVATE|syscall.MAP_ANON)
	if err != nil {
		return nil, fmt.Errorf("no memory for a copy: %w", err)
	}
	if err := fill(whole[:length]); err != nil {
		_ = syscall.Munmap(whole)
		return nil, err
	}
	// This only protects against stray writes: the copy is usable if it fails.
	_ = syscall.Mprotect(whole, syscall.PROT_READ)
	return whole[:length], nil
}

// unmap frees a copy that mapCopy made.
func unmap(image []byte) { _ = syscall.Munmap(image[:len(image)+1]) }

func invalidImage(q *request, reason string) error {
	return &driver.Error{
		Call: fmt.Sprintf("%s(%#x)", q.call(), q.addr), Code: driver.InvalidImage,
		Detail: fmt.Sprintf("image at %#x: %s", q.addr, reason),
	}
}
