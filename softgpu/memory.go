package softgpu

import (
	"fmt"
	"math"

	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// stagingLimit is the most pageable host memory that a copy stores while its stream is busy; a larger copy waits for
// the stream.
const stagingLimit = 16 << 20

// MemAlloc implements driver.Driver. It returns null for zero bytes.
func (d *Driver) MemAlloc(bytes uint64) (driver.Ptr, error) {
	return d.alloc("hipMalloc", bytes, false)
}

// MemAllocManaged implements driver.Driver. All memory is accessible to the host.
func (d *Driver) MemAllocManaged(bytes uint64) (driver.Ptr, error) {
	p, err := d.alloc("hipMallocManaged", bytes, true)
	if p != 0 {
		d.managed.add(uintptr(p), bytes)
	}
	return p, err
}

func (d *Driver) alloc(call string, bytes uint64, shared bool) (driver.Ptr, error) {
	if bytes == 0 {
		return 0, nil
	}
	addr, err := d.heap.alloc(bytes, d.current().index, programs)
	if err != nil {
		return 0, outOfMemory.of(call, "%v", err)
	}
	d.heap.watch(addr, shared)
	return driver.Ptr(addr), nil
}

// MemFree implements driver.Driver. The block is free even if the call reports a failure of work for which it waited.
func (d *Driver) MemFree(p driver.Ptr) error {
	if p == 0 {
		return nil
	}
	lo, _, b, ok := d.heap.find(uintptr(p))
	if !ok || lo != uintptr(p) || b.owner != programs {
		return invalidValue.of("hipFree", "no block starts at %#x", uintptr(p))
	}
	for _, other := range d.devices {
		if other.index != b.device {
			other.drain(nil) // kernels may use any device's memory
		}
	}
	err := d.devices[b.device].synchronize()
	if !d.heap.condemn(uintptr(p), programs) {
		return invalidValue.of("hipFree", "the block at %#x was freed meanwhile", uintptr(p))
	}
	for _, dev := range d.devices {
		dev.drain(nil) // work that other threads have submitted since may use the block
	}
	d.managed.remove(uintptr(p))
	d.heap.free(uintptr(p), programs)
	return err
}

// place is the kind of an address range.
type place uint8

const (
	pageable place = iota // host memory that the device does not know
	pinned                // registered host memory
	onDevice
)

// place returns the kind of bytes bytes at p. It returns an error if they are invalid.
func (d *Driver) place(p driver.Ptr, bytes uint64) (place, error) {
	addr := uintptr(p)
	if bytes > math.MaxInt64 || addr+uintptr(bytes) < addr {
		return 0, fmt.Errorf("%d bytes at %#x wrap around the address space", bytes, addr)
	}
	if p == 0 {
		return 0, fmt.Errorf("null pointer")
	}
	if lo, hi, b, ok := d.heap.find(addr); ok {
		switch {
		case addr+uintptr(bytes) > hi:
			return 0, fmt.Errorf("%d bytes at %#x do not fit into the block of %d bytes at %#x", bytes, addr, b.size, lo)
		case b.owner != programs:
			return 0, fmt.Errorf("%#x is the device's own memory", addr)
		}
		return onDevice, nil
	}
	if _, _, reserved := d.heap.reserved(addr, 0, 0); reserved {
		return 0, fmt.Errorf("%#x lies in no block of device memory", addr)
	}
	if d.registered.holds(addr, bytes) {
		return pinned, nil
	}
	return pageable, nil
}

// Memcpy implements driver.Driver. Between device memory and registered host memory it is asynchronous. Other host
// memory has been read or written when the call returns.
func (d *Driver) Memcpy(dst, src driver.Ptr, bytes uint64, on driver.Stream) error {
	const call = "hipMemcpyAsync"
	s, err := d.stream(call, on)
	if err != nil || bytes == 0 {
		return err
	}
	to, err := d.place(dst, bytes)
	if err != nil {
		return invalidValue.of(call, "destination: %v", err)
	}
	from, err := d.place(src, bytes)
	if err != nil {
		return invalidValue.of(call, "source: %v", err)
	}
	o := op{kind: opCopy, dst: uintptr(dst), src: uintptr(src), bytes: bytes}
	wait := to == pageable || from == pageable
	if from == pageable && to != pageable && bytes <= stagingLimit && s.dev.delays(s) {
		if staged, err := d.heap.alloc(bytes, s.dev.index, devices); err == nil {
			if err := copyMemory(staged, o.src, bytes); err != nil {
				d.heap.free(staged, devices)
				return err
			}
			o.src, o.staged, wait = staged, true, false
		}
	}
	f := s.dev.submit(s, o, wait)
	if !wait {
		return nil
	}
	f.wait()
	return s.failed(f.n)
}

// copyMemory copies between any two places. It returns an error if host memory is not mapped.
func copyMemory(dst, src uintptr, bytes uint64) error {
	if copied := tryCopy(dst, src, bytes); copied < bytes {
		return invalidValue.of("hipMemcpyAsync", "cannot copy %d bytes from %#x to %#x: not mapped from byte %d on", bytes, src, dst, copied)
	}
	return nil
}

// tryCopy returns how many bytes were copied before the first one that is not mapped.
func tryCopy(dst, src uintptr, bytes uint64) (copied uint64) {
	copied, ok := kernelCopy(dst, src, bytes)
	if ok {
		return copied
	}
	n := hostmem.Reach(dst, hostmem.Reach(src, bytes, false), true)
	copy(bytesAt(dst, n), bytesAt(src, n))
	return n
}

// Memset32 implements driver.Driver.
func (d *Driver) Memset32(dst driver.Ptr, value uint32, count uint64, on driver.Stream) error {
	return d.memset("hipMemsetD32Async", op{kind: opFill32, value: value}, dst, count, 4, on)
}

// Memset16 implements driver.Driver.
func (d *Driver) Memset16(dst driver.Ptr, value uint16, count uint64, on driver.Stream) error {
	return d.memset("hipMemsetD16Async", op{kind: opFill16, value: uint32(value)}, dst, count, 2, on)
}

func (d *Driver) memset(call string, o op, dst driver.Ptr, count, size uint64, on driver.Stream) error {
	s, err := d.stream(call, on)
	if err != nil || count == 0 {
		return err
	}
	if count > math.MaxInt64/size {
		return invalidValue.of(call, "%d elements are more than memory has", count)
	}
	o.dst, o.bytes = uintptr(dst), count*size
	at, err := d.place(dst, o.bytes)
	if err == nil && at == pageable {
		err = writableHost(o.dst, o.bytes)
	}
	if err != nil {
		return invalidValue.of(call, "destination: %v", err)
	}
	f := s.dev.submit(s, o, at == pageable)
	if at != pageable {
		return nil
	}
	f.wait()
	return s.failed(f.n)
}

// writableHost checks that the process may write bytes bytes at addr.
func writableHost(addr uintptr, bytes uint64) error { return mapped(addr, bytes, true, "writing") }

// readableHost checks that the process may read bytes bytes at addr.
func readableHost(addr uintptr, bytes uint64) error { return mapped(addr, bytes, false, "reading") }

func mapped(addr uintptr, bytes uint64, write bool, what string) error {
	if hostmem.Reach(addr, bytes, write) < bytes {
		return fmt.Errorf("%d bytes at %#x are not mapped for %s", bytes, addr, what)
	}
	return nil
}

var _ driver.Placer = (*Driver)(nil)

// PlaceOf implements driver.Placer.
func (d *Driver) PlaceOf(p driver.Ptr) (driver.Place, error) {
	at, err := d.place(p, 1)
	switch {
	case err != nil || at == pageable:
		return driver.Pageable, nil
	case at == pinned || d.managed.holds(uintptr(p), 1):
		return driver.Shared, nil
	}
	return driver.DeviceOnly, nil
}
