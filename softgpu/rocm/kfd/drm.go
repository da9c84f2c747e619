package kfd

import (
	"syscall"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// renders are the calls of a render node by number: DRM's own, and from 0x40 on amdgpu's.
var renders = map[uint64]call{
	0x00: with((*Driver).drmVersion),
	0x09: with((*Driver).closeObject),
	0x2d: with((*Driver).exportObject),
	0x2e: with((*Driver).importObject),
	0x40: with((*Driver).createObject),
	0x41: with((*Driver).objectOffset),
	0x45: with((*Driver).info),
	0x46: with((*Driver).metadata),
	0x48: with((*Driver).mapObject),
	0x50: with((*Driver).describeObject),
	0xbf: with((*Driver).createSync),
	0xc0: accepted, // SYNCOBJ_DESTROY
	0xc3: accepted, // SYNCOBJ_WAIT: everything that a call asks for is done when it returns
	0xc5: accepted, // SYNCOBJ_SIGNAL
	0xca: accepted, // SYNCOBJ_TIMELINE_WAIT
	0xcb: accepted, // SYNCOBJ_QUERY
	0xcd: accepted, // SYNCOBJ_TIMELINE_SIGNAL
}

type drmVersionArgs struct {
	Major, Minor, Patch, _       int32
	NameSize, Name               uint64
	DateSize, Date               uint64
	DescriptionSize, Description uint64
}

// drmVersion: libdrm crashes on a date that is empty.
func (d *Driver) drmVersion(_ *device, a *drmVersionArgs) syscall.Errno {
	for _, text := range []struct {
		size *uint64
		at   uint64
		is   string
	}{{&a.NameSize, a.Name, "amdgpu"}, {&a.DateSize, a.Date, "20150101"}, {&a.DescriptionSize, a.Description, "AMD GPU"}} {
		if text.at != 0 {
			copy(bytesAt(text.at, *text.size), text.is)
		}
		*text.size = uint64(len(text.is))
	}
	a.Major, a.Minor, a.Patch = 3, 57, 0
	return 0
}

type objectArgs struct{ Object, _ uint32 }

func (d *Driver) closeObject(_ *device, a *objectArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.objects[a.Object]
	if b == nil {
		return syscall.EINVAL
	}
	delete(d.objects, a.Object)
	b.objects--
	d.close(b)
	return 0
}

// give gives a buffer a handle of the render nodes. mu is held.
func (d *Driver) give(b *buffer) uint32 {
	d.last++
	b.objects++
	if b.handle == 0 {
		b.handle = uint64(b.device.id)<<32 | uint64(d.last)
	}
	d.objects[d.last] = b
	return d.last
}

type primeArgs struct {
	Object, Flags uint32
	FD            int32
}

func (d *Driver) exportObject(_ *device, a *primeArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.objects[a.Object]
	if b == nil {
		return syscall.ENOENT
	}
	fd, errno := b.dmabuf()
	a.FD = int32(fd)
	return errno
}

// importObject gives the buffer of a dma-buf a handle: one of this process's itself.
func (d *Driver) importObject(g *device, a *primeArgs) syscall.Errno {
	p, ok := placeOf(int(a.FD))
	if !ok {
		return syscall.EINVAL
	}
	d.mu.Lock()
	if own := d.known(p); own != nil {
		a.Object = d.give(own)
		d.mu.Unlock()
		return 0
	}
	d.mu.Unlock()
	b, errno := d.open(p, g)
	if errno != 0 {
		return errno
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	a.Object = d.give(b)
	return 0
}

// createObjectArgs is a union: the request, and then the handle.
type createObjectArgs struct{ Size, Alignment, Domains, Flags uint64 }

func (d *Driver) createObject(g *device, a *createObjectArgs) syscall.Errno {
	const domainVRAM = 4
	b := &buffer{device: g, size: (a.Size + page - 1) &^ (page - 1), flags: gtt | writable}
	if a.Size == 0 || a.Size > largest {
		return syscall.EINVAL
	}
	if a.Domains&domainVRAM != 0 {
		b.flags, b.node = vram|writable, g.node
	}
	if errno := d.placeNew(b); errno != 0 {
		return errno
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	*a = createObjectArgs{Size: uint64(d.give(b))}
	return 0
}

// offsetArgs is a union: the handle, and then the offset.
type offsetArgs struct{ Value uint64 }

func (d *Driver) objectOffset(_ *device, a *offsetArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.objects[uint32(a.Value)]
	if b == nil || b.pages == nil {
		return syscall.ENOENT
	}
	a.Value = b.offset()
	return 0
}

// mapping is a buffer at an address of GPUs, by GEM_VA.
type mapping struct {
	buffer   *buffer
	va, size uint64
	offset   uint64 // in the buffer
	block    *hsa.Block
	nodes    uint64
}

type vaArgs struct {
	Object, _        uint32
	Operation, Flags uint32
	VA, Offset, Size uint64
}

// Operations of GEM_VA.
const (
	vaMap     = 1
	vaUnmap   = 2
	vaClear   = 3
	vaReplace = 4
)

const vaWritable = 1 << 2 // AMDGPU_VM_PAGE_WRITEABLE

func (d *Driver) mapObject(g *device, a *vaArgs) syscall.Errno {
	if a.VA%page != 0 || a.Offset%page != 0 || a.Size == 0 || a.VA+a.Size > canonical {
		return syscall.EINVAL
	}
	a.Size = (a.Size + page - 1) &^ (page - 1)
	d.mu.Lock()
	defer d.mu.Unlock()
	if a.Operation == vaUnmap || a.Operation == vaClear || a.Operation == vaReplace {
		if !d.unmapAt(g, a.VA, a.Size) && a.Operation == vaUnmap {
			return syscall.EINVAL
		}
	}
	if a.Operation != vaMap && a.Operation != vaReplace {
		return found(a.Operation == vaUnmap || a.Operation == vaClear)
	}
	b := d.objects[a.Object]
	if b == nil || b.pages == nil || a.Offset+a.Size > b.size {
		return syscall.EINVAL
	}
	bit := uint64(1) << g.node
	for _, m := range d.mappings {
		if m.va == a.VA && m.size == a.Size && m.buffer.pages == b.pages && m.offset == a.Offset {
			m.nodes |= bit
			d.Show(m.block, bit)
			return 0
		}
	}
	b.pages.use()
	block, err := d.Place(hsa.Placement{
		At: a.VA, Size: a.Size, Node: b.node, ReadOnly: a.Flags&vaWritable == 0, File: b.pages.fd, Offset: b.pages.offset + a.Offset, Gone: b.pages.leave,
	})
	if err != nil {
		b.pages.leave()
		return syscall.ENOMEM
	}
	d.Show(block, bit)
	d.mappings = append(d.mappings, &mapping{buffer: b, va: a.VA, size: a.Size, offset: a.Offset, block: block, nodes: bit})
	return 0
}

// unmapAt hides a GPU's memory in a range, and ends mappings that no GPU has any more. mu is held.
func (d *Driver) unmapAt(g *device, va, size uint64) (any bool) {
	kept := d.mappings[:0]
	for _, m := range d.mappings {
		if m.va < va || m.va+m.size > va+size || m.nodes&(1<<g.node) == 0 {
			kept = append(kept, m)
			continue
		}
		any = true
		d.Hide(m.block, 1<<g.node)
		if m.nodes &^= 1 << g.node; m.nodes != 0 {
			kept = append(kept, m)
			continue
		}
		d.Withdraw(m.block)
	}
	clear(d.mappings[len(kept):])
	d.mappings = kept
	return any
}

type syncArgs struct{ Handle, Flags uint32 }

func (d *Driver) createSync(_ *device, a *syncArgs) syscall.Errno {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.last++
	a.Handle = d.last
	return 0
}

type describeArgs struct {
	Object, Operation uint32
	Value             uint64
}

// describeObject stores how an object was made, or is told where it had better be.
func (d *Driver) describeObject(_ *device, a *describeArgs) syscall.Errno {
	const getInfo, setPlacement = 0, 1
	const domainGTT, domainVRAM = 2, 4
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.objects[a.Object]
	switch {
	case b == nil:
		return syscall.ENOENT
	case a.Operation == setPlacement:
		return 0
	case a.Operation != getInfo || a.Value == 0:
		return syscall.EINVAL
	}
	info := createObjectArgs{Size: b.size, Alignment: page, Domains: domainGTT}
	if b.node != 0 {
		info.Domains = domainVRAM
	}
	storeAt(a.Value, sizeOf[createObjectArgs](), info)
	return 0
}

// note is data that programs store with an object, for its other users.
type note struct {
	Flags, Tiling uint64
	Size          uint32
	Data          [64]uint32
	_             uint32
}

type metadataArgs struct {
	Object, Operation uint32
	Note              note
}

func (d *Driver) metadata(_ *device, a *metadataArgs) syscall.Errno {
	const set, get = 1, 2
	d.mu.Lock()
	defer d.mu.Unlock()
	b := d.objects[a.Object]
	switch {
	case b == nil || b.pages == nil:
		return syscall.ENOENT
	case a.Operation == set && a.Note.Size <= uint32(4*len(a.Note.Data)):
		return b.pages.setNote(&a.Note)
	case a.Operation == get:
		a.Note = b.pages.note()
		return 0
	}
	return syscall.EINVAL
}
