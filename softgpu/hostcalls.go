package softgpu

import (
	"encoding/binary"
	"io"
	"runtime"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/hostcall"
)

// hostSide is the part of the host that a device's kernels use: buffers for calls, the memory of their malloc, and the
// block with malloc's own data.
type hostSide struct {
	dev      *device
	services hostcall.Services

	mu      sync.Mutex
	idle    []*hostCalls // buffers that no kernel uses
	books   uintptr      // zero: not needed so far
	blocks  map[uint64]hostBlock
	running int                 // number of running kernels
	freed   map[uint64][]uint64 // by size: blocks that kernels have freed; a running kernel may still use them
}

// hostBlock is memory that a kernel has allocated.
type hostBlock struct{ size, align uint64 }

// hostCalls is a buffer with the functions that emu calls for it.
type hostCalls struct {
	*hostcall.Buffer
	serve func() error
}

// booksSize is the size of the data of the device libraries' malloc, which is zero at first. ROCm allocates the same.
const booksSize = 128 << 10

func newHost(d *device, stdout, stderr io.Writer) *hostSide {
	h := &hostSide{dev: d, blocks: map[uint64]hostBlock{}, freed: map[uint64][]uint64{}}
	h.services = hostcall.Services{Stdout: stdout, Stderr: stderr, Alloc: h.alloc, Free: h.free}
	return h
}

// calls takes a buffer; done returns it.
func (h *hostSide) calls() (*hostCalls, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if last := len(h.idle) - 1; last >= 0 {
		c := h.idle[last]
		h.idle = h.idle[:last]
		return c, nil
	}
	packets := h.dev.machine.MostWaves() + emu.MostWavesInGroup*runtime.GOMAXPROCS(0)
	size := hostcall.Size(packets)
	addr, err := h.dev.heap.alloc(size, h.dev.index, devices)
	if err != nil {
		return nil, err
	}
	b := hostcall.NewBuffer(bytesAt(addr, size), uint64(addr), packets, &h.services)
	return &hostCalls{b, b.Serve}, nil
}

// done takes a buffer back. It drops what a failed kernel left in the buffer.
func (h *hostSide) done(c *hostCalls, failed bool) {
	if failed {
		c.Reset()
	}
	h.mu.Lock()
	h.idle = append(h.idle, c)
	h.mu.Unlock()
}

// heapBooks returns the address of the data of the kernels' malloc.
func (h *hostSide) heapBooks() (uintptr, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.books == 0 {
		books, err := h.dev.heap.alloc(booksSize, h.dev.index, devices)
		if err != nil {
			return 0, err
		}
		h.books = books
	}
	return h.books, nil
}

// enter and leave surround each kernel: memory that kernels free stays mapped until no kernel runs that may have seen
// it.
func (h *hostSide) enter() {
	h.mu.Lock()
	h.running++
	h.mu.Unlock()
}

func (h *hostSide) leave() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.running--
	if h.running > 0 || len(h.freed) == 0 {
		return
	}
	for _, addrs := range h.freed {
		for _, a := range addrs {
			delete(h.blocks, a)
			h.dev.heap.free(uintptr(a), devices)
		}
	}
	clear(h.freed)
}

// alloc allocates memory for a kernel. Only the system's limit applies.
func (h *hostSide) alloc(bytes, align uint64) uint64 {
	size := (bytes + pageSize - 1) &^ (pageSize - 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	for i, a := range h.freed[size] {
		if a%align == 0 {
			h.freed[size] = append(h.freed[size][:i], h.freed[size][i+1:]...)
			clear(bytesAt(uintptr(a), size))
			return a
		}
	}
	addr, err := h.dev.heap.allocAligned(size, align, h.dev.index, devices)
	if err != nil {
		return 0
	}
	h.blocks[uint64(addr)] = hostBlock{size, align}
	return uint64(addr)
}

func (h *hostSide) free(addr uint64) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	b, ok := h.blocks[addr]
	if !ok {
		return false
	}
	for _, a := range h.freed[b.size] {
		if a == addr {
			return false
		}
	}
	h.freed[b.size] = append(h.freed[b.size], addr)
	return true
}

// hostArguments are the hidden arguments that are not known before a kernel starts.
type hostArguments struct {
	calls, books, records *codeobj.Arg // nil: the kernel has none
}

// fillHost writes the hidden arguments for access to the host. If the kernel may make calls, it returns the buffer that
// serves them.
func (s *stream) fillHost(f *function, kernarg uintptr) (*hostCalls, error) {
	var calls *hostCalls
	if a := f.host.calls; a != nil {
		c, err := s.dev.host.calls()
		if err != nil {
			return nil, err
		}
		calls = c
		putPointer(kernarg+uintptr(a.Offset), c.Addr(), a.Size)
	}
	if a := f.host.books; a != nil {
		books, err := s.dev.host.heapBooks()
		if err != nil {
			return calls, err
		}
		putPointer(kernarg+uintptr(a.Offset), uint64(books), a.Size)
	}
	return calls, nil
}

// recordsSize is the size of a printf buffer. Output beyond it is not printed, as on GPUs.
const recordsSize = 4 << 20

// fillRecords gives f a printf buffer if it needs one; zero: it does not.
func (s *stream) fillRecords(f *function, kernarg uintptr) (buffer uintptr, err error) {
	a := f.host.records
	if a == nil || f.module.records == nil {
		return 0, nil
	}
	if buffer, err = s.dev.heap.alloc(recordsSize, s.dev.index, devices); err != nil {
		return 0, err
	}
	hostcall.NewRecords(bytesAt(buffer, recordsSize))
	putPointer(kernarg+uintptr(a.Offset), uint64(buffer), a.Size)
	return buffer, nil
}

// printRecords prints what a kernel has left in its printf buffer, and frees the buffer.
func (s *stream) printRecords(f *function, buffer uintptr) error {
	if buffer == 0 {
		return nil
	}
	defer s.dev.heap.free(buffer, devices)
	if err := s.dev.host.services.PrintRecords(bytesAt(buffer, recordsSize), f.module.records); err != nil {
		return &emu.Fault{Kernel: f.name, Wave: -1, Lane: -1, Reason: err.Error()}
	}
	return nil
}

func putPointer(at uintptr, v uint64, size uint32) {
	if size == 8 {
		binary.LittleEndian.PutUint64(bytesAt(at, 8), v)
	}
}
