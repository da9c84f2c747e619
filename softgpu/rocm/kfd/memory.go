package kfd

import (
	"sync/atomic"
	"syscall"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// Bits of ALLOC_MEMORY_OF_GPU's flags.
const (
	vram      = 1 << 0
	gtt       = 1 << 1
	userPages = 1 << 2
	doorbell  = 1 << 3
	mmio      = 1 << 4
	writable  = 1 << 31
	aqlMemory = 1 << 27
)

// canonical is where the host's addresses end.
const canonical = 1 << 47

// largest is more than any allocation can be.
const largest = 1 << 46

// buffer is an allocation.
type buffer struct {
	handle uint64
	device *device
	node   uint32 // whose memory it is: the GPU's, or 0, the host's
	size   uint64
	flags  uint32
	va     uint64     // where the host has put it; of buffers that are mapped by GEM_VA nothing
	block  *hsa.Block // there; nil: none

	pages   *pages // nil: the host's own
	opened  bool   // it has a handle of /dev/kfd
	objects int    // number of handles of render nodes
	charged bool
}

// pages are places in a file, which are released with their last user.
type pages struct {
	store    *store // nil: another process's
	fd       int
	offset   uint64
	size     uint64
	users    atomic.Int32 // handles, and blocks that GPUs may touch
	exported atomic.Bool  // another process may have mapped them
}

func (p *pages) use() { p.users.Add(1) }

// leave ends one use. Package hsa calls it with its locks held.
func (p *pages) leave() {
	if p.users.Add(-1) > 0 {
		return
	}
	switch {
	case p.store == nil:
		_ = syscall.Close(p.fd)
	case !p.exported.Load():
		p.store.drop(p.offset, p.size)
	}
}

// newPages takes zeroed pages of a GPU's file.
func (g *device) newPages(size uint64) *pages {
	p := &pages{store: &g.store, fd: g.store.fd, offset: g.store.allocate(size), size: size}
	p.use()
	return p
}

type allocArgs struct {
	VA, Size, Handle, Offset uint64
	GPUID, Flags             uint32
}

func (d *Driver) alloc(a *allocArgs) syscall.Errno {
	g := d.byID(a.GPUID)
	switch {
	case g == nil:
		return syscall.EINVAL
	case a.Size == 0 || a.Size%page != 0 || a.Size > largest || a.VA%page != 0:
		return syscall.EINVAL
	}
	b := &buffer{device: g, size: a.Size, flags: a.Flags, va: a.VA}
	if b.va+b.size > canonical {
		b.va = 0 // a number of the thunk's for memory without an address
	}
	var errno syscall.Errno
	switch {
	case a.Flags&doorbell != 0:
		a.Offset = bellsPlace + uint64(g.node)<<gpuShift
		if errno = d.placePrivate(b); errno == 0 {
			d.AddDoorbells(b.va, b.size)
		}
	case a.Flags&mmio != 0:
		a.Offset = mmioPlace + uint64(g.node)<<gpuShift
		errno = d.placePrivate(b)
	case a.Flags&userPages != 0:
		errno = d.placeHosts(b, a.Offset)
	case a.Flags&(vram|gtt) != 0:
		if a.Flags&vram != 0 {
			b.node = g.node
		}
		errno = d.placeNew(b)
		a.Offset = b.pages.offset
	default:
		errno = syscall.EINVAL
	}
	if errno != 0 {
		return errno
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	b.opened = true
	a.Handle = d.enter(b)
	return 0
}

// enter gives a buffer its handle. mu is held.
func (d *Driver) enter(b *buffer) uint64 {
	d.last++
	b.handle = uint64(b.device.id)<<32 | uint64(d.last)
	d.buffers[b.handle] = b
	return b.handle
}

// placePrivate puts zeroed pages of the process's own at a buffer's address.
func (d *Driver) placePrivate(b *buffer) syscall.Errno {
	if b.va == 0 {
		return syscall.EINVAL
	}
	if _, errno := mmap(b.va, b.size, readWrite, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_FIXED, -1, 0); errno != 0 {
		return errno
	}
	return d.place(b, hsa.Placement{File: -1, Host: b.va})
}

// placeHosts makes pages of the host's a buffer. Those at another address than the buffer's belong to
// the program; others the thunk has mapped for it.
func (d *Driver) placeHosts(b *buffer, host uint64) syscall.Errno {
	if host == 0 || host%page != 0 || host+b.size > canonical || b.va == 0 {
		return syscall.EINVAL
	}
	if host == b.va {
		if !d.Charge(b.node, b.size) {
			return syscall.ENOMEM
		}
		b.charged = true
	}
	return d.place(b, hsa.Placement{File: -1, Host: host})
}

// placeNew takes zeroed pages for a buffer, and maps them if it has an address. Buffers without are
// mapped by GEM_VA.
func (d *Driver) placeNew(b *buffer) syscall.Errno {
	if !d.Charge(b.node, b.size) {
		b.pages = &pages{}
		return syscall.ENOMEM
	}
	b.charged = true
	b.pages = b.device.newPages(b.size)
	if b.va == 0 {
		return 0
	}
	return d.place(b, hsa.Placement{File: b.pages.fd, Offset: b.pages.offset})
}

func (d *Driver) place(b *buffer, p hsa.Placement) syscall.Errno {
	p.At, p.Size, p.Node, p.ReadOnly = b.va, b.size, b.node, b.flags&writable == 0 && b.flags&(vram|gtt) != 0
	if b.pages != nil {
		b.pages.use()
		p.Gone = b.pages.leave
	}
	block, err := d.Place(p)
	if err != nil {
		if b.pages != nil {
			b.pages.leave()
			b.pages.leave()
		}
		d.discharge(b)
		return syscall.ENOMEM
	}
	b.block = block
	return 0
}

func (d *Driver) discharge(b *buffer) {
	if b.charged {
		d.Discharge(b.node, b.size)
		b.charged = false
	}
}

type freeArgs struct{ Handle uint64 }

func (d *Driver) free(a *freeArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.buffers[a.Handle]
	if b == nil {
		return syscall.EINVAL
	}
	delete(d.buffers, a.Handle)
	if d.events == b {
		d.SetMailboxes(0)
		d.events = nil
	}
	if b.flags&doorbell != 0 {
		d.DropDoorbells(b.va)
	}
	if b.block != nil {
		d.Withdraw(b.block)
		b.block = nil
	}
	b.opened = false
	d.close(b)
	return 0
}

// close ends a buffer that has lost a handle, if it was the last. mu is held.
func (d *Driver) close(b *buffer) {
	if b.opened || b.objects > 0 {
		return
	}
	d.discharge(b)
	if b.pages != nil {
		b.pages.leave()
	}
}

type mapArgs struct {
	Handle, Devices uint64
	Count, Done     uint32
}

func (d *Driver) mapToGPU(a *mapArgs) syscall.Errno { return d.show(a, d.Show) }

func (d *Driver) unmapFromGPU(a *mapArgs) syscall.Errno { return d.show(a, d.Hide) }

func (d *Driver) show(a *mapArgs, do func(*hsa.Block, uint64)) syscall.Errno {
	nodes, errno := d.nodeSet(a.Devices, a.Count)
	if errno != 0 {
		return errno
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.buffers[a.Handle]
	if b == nil {
		return syscall.EINVAL
	}
	if b.block != nil {
		do(b.block, nodes)
	}
	a.Done = a.Count
	return 0
}

type availableArgs struct {
	Available uint64
	GPUID, _  uint32
}

func (d *Driver) availableMemory(a *availableArgs) syscall.Errno {
	g := d.byID(a.GPUID)
	if g == nil {
		return syscall.EINVAL
	}
	a.Available = d.Left(g.node)
	return 0
}

// Map maps part of a device's file for the host. Where GPUs have memory already, nothing changes.
func (d *Driver) Map(file int, addr, size, protection, flags, offset uint64) (uint64, syscall.Errno) {
	if flags&syscall.MAP_FIXED != 0 && d.keeps(addr, size) {
		return addr, 0
	}
	if file == 0 {
		return mmap(addr, size, protection, flags, d.control, offset)
	}
	d.mu.Lock()
	fd, offset := d.files(file, offset)
	d.mu.Unlock()
	return mmap(addr, size, protection, flags, fd, offset)
}

// keeps reports whether a range already has memory of a GPU, doorbells or registers.
func (d *Driver) keeps(addr, size uint64) bool {
	if d.Keeps(addr, addr+size) {
		return true
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, b := range d.buffers {
		if b.va == addr && b.flags&(doorbell|mmio) != 0 && size <= b.size {
			return true
		}
	}
	return false
}

// foreignPlace is the offset from which on a render node's file has other processes' memory.
const foreignPlace = 1 << 45

// files finds the file and the place in it that an offset of a render node's file stands for. mu is held.
func (d *Driver) files(file int, offset uint64) (int, uint64) {
	if offset >= foreignPlace {
		number := uint32(offset >> 12 & (1<<32 - 1))
		for _, b := range d.objects {
			if b.pages != nil && b.pages.store == nil && uint32(b.handle) == number {
				return b.pages.fd, b.pages.offset
			}
		}
	}
	return d.devices[file-1].store.fd, offset
}

// offset is where a buffer is in its render node's file, for mmap.
func (b *buffer) offset() uint64 {
	if b.pages.store == nil {
		return foreignPlace + uint64(uint32(b.handle))<<12
	}
	return b.pages.offset
}

// Unmap unmaps a range of the host, or reserves its addresses.
func (d *Driver) Unmap(addr, size uint64, reserve bool) syscall.Errno {
	if addr%page != 0 || size == 0 {
		return syscall.EINVAL
	}
	if err := d.HostUnmap(addr, addr+(size+page-1)&^(page-1), reserve); err != nil {
		if errno, ok := err.(syscall.Errno); ok {
			return errno
		}
		return syscall.ENOMEM
	}
	return 0
}

// MapShared maps part of the memory of a dma-buf's descriptor.
func (d *Driver) MapShared(fd int, addr, size, protection, flags, offset uint64) (uint64, syscall.Errno) {
	p, ok := placeOf(fd)
	if !ok || offset+size > p.size {
		return 0, syscall.EINVAL
	}
	b, errno := d.open(p, d.devices[0])
	if errno != 0 {
		return 0, errno
	}
	defer b.pages.leave()
	b.pages.exported.Store(true)
	return mmap(addr, size, protection, flags, b.pages.fd, b.pages.offset+offset)
}
