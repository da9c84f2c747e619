package modulecache

import (
	"bytes"
	"fmt"
	"os"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
)

// window is what a load has read of the image at an address. It grows by whole pages, up to the last byte that is needed,
// so that a small image is read once or twice, however many of its headers and tables are looked at. It holds no bytes
// outside of the pages between the image's first byte and the last one that its own headers name.
type window struct {
	cache  *Cache
	addr   uintptr // of the image
	filled int     // bytes of the image that bytes has
	single bool    // a page between could not be read: reads of what bytes lacks are made one by one
	bytes  [windowBytes]byte
}

// windowBytes is how much of an image is read, and compared, at a time: small enough for the processor's cache, and
// large enough that the cost of the system call does not matter.
const windowBytes = 64 << 10

var pageSize = uintptr(os.Getpagesize())

// window returns an empty window. The caller closes it.
func (c *Cache) window(addr uintptr) *window {
	w := c.windows.Get().(*window)
	w.cache, w.addr, w.filled, w.single = c, addr, 0, false
	return w
}

// close gives the window's memory to other loads. A window may be nil.
func (w *window) close() {
	if w != nil {
		w.cache.windows.Put(w)
	}
}

// read copies bytes of the image from an offset.
func (w *window) read(dst []byte, offset uint64) error {
	addr := w.addr + uintptr(offset)
	if addr < w.addr {
		return errWraps(offset)
	}
	if end := offset + uint64(len(dst)); offset <= windowBytes && end <= windowBytes && w.holds(int(end)) {
		copy(dst, w.bytes[offset:])
		return nil
	}
	return w.cache.cfg.Read(dst, addr)
}

func errWraps(offset uint64) error {
	return fmt.Errorf("offset %#x wraps around the address space", offset)
}

// holds reports whether the window has the first n bytes of the image, which it reads if it can.
func (w *window) holds(n int) bool {
	if n > w.filled && !w.single {
		last := w.addr + uintptr(n) - 1
		to := min(int((last|(pageSize-1))-w.addr)+1, windowBytes)
		if w.single = w.cache.cfg.Read(w.bytes[w.filled:to], w.addr+uintptr(w.filled)) != nil; !w.single {
			w.filled = to
		}
	}
	return n <= w.filled
}

// copy makes the cache's own copy of the image, as long as the image's headers say.
func (w *window) copy() (codeobj.Kind, imageCopy, error) {
	kind, length, err := w.cache.cfg.Extent(w.read)
	if err != nil {
		return kind, imageCopy{}, err
	}
	copied, err := w.copyOf(length)
	if err != nil {
		err = fmt.Errorf("%d bytes long by its own headers: %w", length, err)
	}
	return kind, copied, err
}

func (w *window) copyOf(length uint64) (imageCopy, error) {
	if length == 0 || length > maxImage {
		return imageCopy{}, fmt.Errorf("a length of %d bytes is not plausible", length)
	}
	if length < windowBytes && w.holds(int(length)) {
		return w.cache.chunks.copyOf(w.bytes[:length])
	}
	return mapCopy(int(length), func(dst []byte) error { return w.cache.cfg.Read(dst, w.addr) })
}

// equals reports whether the program's memory holds an image. What it reads stays in the window.
func (w *window) equals(image []byte) bool {
	for off := 0; off < len(image); off += windowBytes {
		want := image[off:min(off+windowBytes, len(image))]
		got := w.bytes[:len(want)]
		w.filled = 0
		if w.cache.cfg.Read(got, w.addr+uintptr(off)) != nil {
			return false
		}
		if off == 0 {
			w.filled = len(got)
		}
		if !bytes.Equal(got, want) {
			return false
		}
	}
	return true
}
