package kfd

import (
	"fmt"
	"os"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// Memory between processes, and between the two interfaces of a process: dma-bufs, and handles of IPC.

// place names pages for all processes.
type place struct {
	process, file uint64 // a descriptor of the process's
	offset, size  uint64
	gpu           uint32 // id
	flags         uint32 // of ALLOC_MEMORY_OF_GPU
}

// dmabufName begins the name of a file that stands for a dma-buf. The rest is the place.
const dmabufName = "mgpu-dmabuf"

const dmabufForm = dmabufName + ":%d:%d:%d:%d:%d:%d"

func (p *place) fields() []any {
	return []any{&p.process, &p.file, &p.offset, &p.size, &p.gpu, &p.flags}
}

// placeOf names a buffer's pages. Pages of another process keep its name for them.
func (b *buffer) place() (place, bool) {
	if b.pages == nil {
		return place{}, false // the host's own
	}
	b.pages.exported.Store(true)
	return place{uint64(os.Getpid()), uint64(b.pages.fd), b.pages.offset, b.size, b.device.id, b.flags}, true
}

// dmabuf makes a descriptor that stands for a buffer. Its end is the buffer's size, which libdrm asks for.
func (b *buffer) dmabuf() (int, syscall.Errno) {
	p, ok := b.place()
	if !ok {
		return -1, syscall.EINVAL
	}
	fd, err := memfd(fmt.Sprintf(dmabufForm, p.process, p.file, p.offset, p.size, p.gpu, p.flags))
	if err != nil || syscall.Ftruncate(fd, int64(b.size)) != nil {
		return -1, syscall.EMFILE
	}
	return fd, 0
}

// placeOf reads the place that a descriptor refers to.
func placeOf(fd int) (p place, ok bool) {
	name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", fd))
	if err != nil || !strings.HasPrefix(name, "/memfd:"+dmabufName) {
		return p, false
	}
	n, _ := fmt.Sscanf(name, "/memfd:"+dmabufForm, p.fields()...)
	return p, n == len(p.fields())
}

// known finds the buffer that a place is, where it is this process's own. mu is held.
func (d *Driver) known(p place) *buffer {
	if p.process != uint64(os.Getpid()) {
		return nil
	}
	same := func(b *buffer) bool {
		return b.pages != nil && uint64(b.pages.fd) == p.file && b.pages.offset == p.offset
	}
	for _, b := range d.buffers {
		if same(b) {
			return b
		}
	}
	for _, b := range d.objects {
		if same(b) {
			return b
		}
	}
	return nil
}

// open makes a buffer of the pages at a place, at no address yet.
func (d *Driver) open(p place, g *device) (*buffer, syscall.Errno) {
	if p.size == 0 || p.size%page != 0 || p.size > largest {
		return nil, syscall.EINVAL
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	b := &buffer{device: g, node: g.node, size: p.size, flags: p.flags}
	if b.flags&vram == 0 {
		b.node = 0
	}
	if own := d.known(p); own != nil {
		b.pages = own.pages
		b.pages.use()
		return b, 0
	}
	fd, err := openStore(p.process, p.file)
	if err != nil {
		return nil, syscall.ENOENT
	}
	b.pages = &pages{fd: fd, offset: p.offset, size: p.size}
	b.pages.use()
	return b, 0
}

type exportArgs struct {
	Handle    uint64
	Flags, FD uint32
}

func (d *Driver) exportDMABuf(a *exportArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.buffers[a.Handle]
	if b == nil {
		return syscall.EINVAL
	}
	fd, errno := b.dmabuf()
	a.FD = uint32(fd)
	return errno
}

type dmabufArgs struct {
	Size, Metadata                 uint64
	MetadataSize, GPUID, Flags, FD uint32
}

func (d *Driver) dmabufInfo(a *dmabufArgs) syscall.Errno {
	p, ok := placeOf(int(int32(a.FD)))
	if !ok {
		return syscall.EINVAL
	}
	b, errno := d.open(p, d.devices[0])
	if errno != 0 {
		return errno
	}
	defer b.pages.leave()
	n := b.pages.note()
	if room := uint64(min(a.MetadataSize, n.Size)); a.Metadata != 0 && room > 0 {
		storeAt(a.Metadata, room, n.Data)
	}
	a.Size, a.MetadataSize, a.GPUID, a.Flags = p.size, n.Size, p.gpu, p.flags
	if d.byID(a.GPUID) == nil {
		a.GPUID = d.devices[0].id
	}
	return 0
}

type importArgs struct {
	VA, Handle uint64
	GPUID, FD  uint32
}

func (d *Driver) importDMABuf(a *importArgs) syscall.Errno {
	p, ok := placeOf(int(int32(a.FD)))
	if !ok {
		return syscall.EINVAL
	}
	handle, _, errno := d.importAt(p, a.GPUID, a.VA)
	a.Handle = handle
	return errno
}

// importAt makes a buffer of another's pages, at an address that the host has chosen.
func (d *Driver) importAt(p place, gpu uint32, va uint64) (handle, offset uint64, errno syscall.Errno) {
	g := d.byID(gpu)
	if g == nil || va%page != 0 {
		return 0, 0, syscall.EINVAL
	}
	b, errno := d.open(p, g)
	if errno != 0 {
		return 0, 0, errno
	}
	if b.va = va; va+b.size > canonical {
		b.va = 0
	}
	if b.va != 0 {
		if errno := d.place(b, hsa.Placement{File: b.pages.fd, Offset: b.pages.offset, Shared: true}); errno != 0 {
			return 0, 0, errno
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	b.opened = true
	return d.enter(b), b.offset(), 0
}

// shareMark begins a handle of IPC. The rest is the process, the descriptor, and the page in the file.
const shareMark = 0x6d67

type exportIPCArgs struct {
	Handle       uint64
	Share        [4]uint32
	GPUID, Flags uint32
}

func (d *Driver) exportIPC(a *exportIPCArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.buffers[a.Handle]
	if b == nil {
		return syscall.EINVAL
	}
	p, ok := b.place()
	if !ok || p.file > 0xffff {
		return syscall.EINVAL
	}
	// The thunk passes on the size, in pages, and the GPU. 64 bits of place hold 38 of offset and 26 of size.
	number := p.offset/page | p.size/page<<38
	if p.offset/page >= 1<<38 || p.size/page >= 1<<26 {
		return syscall.EINVAL
	}
	if errno := lend(p); errno != 0 {
		return errno
	}
	a.Share = [4]uint32{shareMark<<16 | uint32(p.file), uint32(p.process), uint32(number), uint32(number >> 32)}
	return 0
}

type importIPCArgs struct {
	Handle, VA, Offset uint64
	Share              [4]uint32
	GPUID, Flags       uint32
}

func (d *Driver) importIPC(a *importIPCArgs) syscall.Errno {
	if a.Share[0]>>16 != shareMark {
		return syscall.EINVAL
	}
	number := uint64(a.Share[2]) | uint64(a.Share[3])<<32
	p := place{
		process: uint64(a.Share[1]), file: uint64(a.Share[0] & 0xffff),
		offset: number & (1<<38 - 1) * page, size: number >> 38 * page, gpu: a.GPUID, flags: vram | writable,
	}
	if !lent(p) {
		return syscall.EINVAL
	}
	handle, offset, errno := d.importAt(p, a.GPUID, a.VA)
	a.Handle, a.Offset, a.Flags = handle, offset, p.flags
	return errno
}
