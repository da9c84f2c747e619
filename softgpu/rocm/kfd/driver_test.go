package kfd

import (
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/softgpu/rocm/hsa"
)

// host is what AMD's thunk does with a driver.
type host struct {
	*testing.T
	*Driver
}

func newHost(t *testing.T, o hsa.Options) *host {
	if o.Memory == 0 {
		o.Memory = 64 << 20
	}
	d, err := Open(Options{Options: o})
	require.NoError(t, err)
	return &host{t, d}
}

// ask makes a control call with a structure, which it changes.
func ask[T any](h *host, file int, number uint64, a *T) syscall.Errno {
	h.Helper()
	mem := h.reserve(page, readWrite)
	b := bytesAt(mem, page)
	from := unsafe.Slice((*byte)(unsafe.Pointer(a)), unsafe.Sizeof(*a))
	copy(b, from)
	errno := h.Ioctl(file, number|uint64(len(from))<<16, mem)
	copy(from, b)
	return errno
}

// reserve takes addresses as the host does.
func (h *host) reserve(size, protection uint64) uint64 {
	h.Helper()
	at, errno := mmap(0, size, protection, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE, -1, 0)
	require.Zero(h, errno)
	return at
}

// memory allocates memory of a GPU and maps it, as the thunk does.
func (h *host) memory(gpu uint32, size uint64, flags uint32) allocArgs {
	h.Helper()
	a := allocArgs{VA: h.reserve(size, syscall.PROT_NONE), Size: size, GPUID: 0x5000 + gpu, Flags: flags | writable}
	require.Zero(h, ask(h, 0, 0x16, &a))
	at, errno := h.Map(int(gpu), a.VA, size, syscall.PROT_NONE, syscall.MAP_SHARED|syscall.MAP_FIXED, a.Offset)
	require.Zero(h, errno)
	require.Equal(h, a.VA, at)
	return a
}

func mapped(addr uint64) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_MSYNC, uintptr(addr), page, 1)
	return errno == 0
}

func (h *host) shown(a allocArgs, number uint64, gpus ...uint32) {
	h.Helper()
	ids := h.reserve(page, readWrite)
	for i, gpu := range gpus {
		*at[uint32](ids + uint64(4*i)) = 0x5000 + gpu
	}
	m := mapArgs{Handle: a.Handle, Devices: ids, Count: uint32(len(gpus))}
	require.Zero(h, ask(h, 0, number, &m))
	require.Equal(h, m.Count, m.Done)
}

func TestMemoryIsZeroedAndMappedWhereTheHostHasReservedIt(t *testing.T) {
	h := newHost(t, hsa.Options{})
	a := h.memory(1, 2*page, vram)
	b := bytesAt(a.VA, 2*page)
	require.Equal(t, make([]byte, 2*page), b)
	b[0] = 1
	v := availableArgs{GPUID: 0x5001}
	require.Zero(t, ask(h, 0, 0x23, &v))
	require.EqualValues(t, 64<<20-2*page, v.Available)

	require.Zero(t, ask(h, 0, 0x17, &freeArgs{a.Handle}))
	require.True(t, mapped(a.VA), "the addresses are the host's until it unmaps them")
	require.Zero(t, h.Unmap(a.VA, 2*page, false))
	require.False(t, mapped(a.VA))
	again := h.memory(1, 2*page, vram)
	require.Equal(t, a.Offset, again.Offset, "places are used again")
	require.Equal(t, make([]byte, 2*page), bytesAt(again.VA, 2*page))
	require.Equal(t, syscall.EINVAL, ask(h, 0, 0x17, &freeArgs{a.Handle}), "freed twice")
}

func TestMemoryOfAGPUStaysMappedWhateverTheHostUnmaps(t *testing.T) {
	h := newHost(t, hsa.Options{})
	a := h.memory(1, 2*page, vram)
	*at[uint32](a.VA) = 7
	require.Zero(t, h.Unmap(a.VA, 2*page, false))
	require.EqualValues(t, 7, *at[uint32](a.VA))
	require.Zero(t, ask(h, 0, 0x17, &freeArgs{a.Handle}))
	require.False(t, mapped(a.VA), "it was unmapped by the host before")

	b := h.memory(1, page, vram)
	*at[uint32](b.VA) = 8
	require.Zero(t, h.Unmap(b.VA, page, true), "reserved, as the host keeps addresses of virtual memory")
	require.EqualValues(t, 8, *at[uint32](b.VA))
	require.Zero(t, ask(h, 0, 0x17, &freeArgs{b.Handle}))
	require.True(t, mapped(b.VA))
}

func TestMemoryRunsOut(t *testing.T) {
	h := newHost(t, hsa.Options{})
	a := allocArgs{VA: h.reserve(65<<20, syscall.PROT_NONE), Size: 65 << 20, GPUID: 0x5001, Flags: vram}
	require.Equal(t, syscall.ENOMEM, ask(h, 0, 0x16, &a))
	h.memory(1, 64<<20, vram)
	require.Equal(t, syscall.ENOMEM, ask(h, 0, 0x16, &allocArgs{VA: a.VA, Size: page, GPUID: 0x5001, Flags: vram}))
}

func TestWhatMakesNoSenseIsRefused(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2})
	for name, a := range map[string]allocArgs{
		"no such GPU":       {VA: page, Size: page, GPUID: 0x5003, Flags: vram},
		"no size":           {VA: page, GPUID: 0x5001, Flags: vram},
		"half a page":       {VA: page, Size: page / 2, GPUID: 0x5001, Flags: vram},
		"address in a page": {VA: page + 8, Size: page, GPUID: 0x5001, Flags: vram},
		"no kind":           {VA: page, Size: page, GPUID: 0x5001},
		"no host's pages":   {VA: page, Size: page, GPUID: 0x5001, Flags: userPages},
	} {
		require.Equal(t, syscall.EINVAL, ask(h, 0, 0x16, &a), name)
	}
	require.Equal(t, syscall.ENOTTY, h.Ioctl(0, 0x27, 0), "unknown to this driver")
	require.Equal(t, syscall.EINVAL, h.Ioctl(1, 0x99, 0), "unknown to render nodes")
	q := createQueueArgs{GPUID: 0x5001, Kind: 1}
	require.Equal(t, syscall.EINVAL, ask(h, 0, 0x02, &q), "copy engines have no queues")
}

// A caller that was built against an older header has shorter structures.
func TestStructuresOfOtherReleasesHaveOtherSizes(t *testing.T) {
	h := newHost(t, hsa.Options{})
	at := h.reserve(page, readWrite)
	copy(bytesAt(at, page), "untouched untouched")
	require.Zero(t, h.Ioctl(0, 0x01|4<<16, at))
	require.Equal(t, "\x01\x00\x00\x00uched untouched", string(bytesAt(at, 19)))
	require.Zero(t, h.Ioctl(0, 0x01|100<<16, at))
	require.Equal(t, "\x01\x00\x00\x00\x10\x00\x00\x00d", string(bytesAt(at, 9)))
}

func TestADMABufIsTheSameMemory(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2})
	a := h.memory(1, 2*page, vram)
	*at[uint32](a.VA + page) = 9
	e := exportArgs{Handle: a.Handle}
	require.Zero(t, ask(h, 0, 0x24, &e))
	defer syscall.Close(int(e.FD))
	end, err := syscall.Seek(int(e.FD), 0, 2)
	require.NoError(t, err)
	require.EqualValues(t, 2*page, end, "libdrm asks for the size so")
	i := dmabufArgs{FD: e.FD}
	require.Zero(t, ask(h, 0, 0x1c, &i))
	require.Equal(t, []uint64{2 * page, 0x5001, vram | writable}, []uint64{i.Size, uint64(i.GPUID), uint64(i.Flags)})

	p := primeArgs{FD: int32(e.FD)}
	require.Zero(t, ask(h, 1, 0x2e, &p))
	m := metadataArgs{Object: p.Object, Operation: 1, Note: note{Size: 8, Data: [64]uint32{3, 4}}}
	require.Zero(t, ask(h, 1, 0x46, &m))
	text := h.reserve(page, readWrite)
	i = dmabufArgs{FD: e.FD, Metadata: text, MetadataSize: 4}
	require.Zero(t, ask(h, 0, 0x1c, &i))
	require.Equal(t, []uint32{8, 3, 0}, []uint32{i.MetadataSize, *at[uint32](text), *at[uint32](text + 4)}, "as much as there is room for")
	require.Zero(t, ask(h, 1, 0x50, &describeArgs{Object: p.Object, Value: text}))
	require.EqualValues(t, 2*page, *at[uint64](text))

	im := importArgs{VA: h.reserve(2*page, syscall.PROT_NONE), GPUID: 0x5002, FD: e.FD}
	require.Zero(t, ask(h, 0, 0x1d, &im))
	require.EqualValues(t, 9, *at[uint32](im.VA + page))
	addr, errno := h.MapShared(int(e.FD), 0, page, readWrite, syscall.MAP_SHARED, page)
	require.Zero(t, errno)
	require.EqualValues(t, 9, *at[uint32](addr))
	require.Equal(t, syscall.EINVAL, ask(h, 0, 0x1d, &importArgs{VA: im.VA, GPUID: 0x5001, FD: 0}), "standard input is none")
}

func TestAHandleOfIPCNamesTheMemory(t *testing.T) {
	h := newHost(t, hsa.Options{})
	a := h.memory(1, 3*page, vram)
	*at[uint32](a.VA) = 11
	e := exportIPCArgs{Handle: a.Handle, GPUID: 0x5001}
	require.Zero(t, ask(h, 0, 0x81, &e))
	im := importIPCArgs{VA: h.reserve(3*page, syscall.PROT_NONE), Share: e.Share, GPUID: 0x5001}
	require.Zero(t, ask(h, 0, 0x80, &im))
	require.EqualValues(t, 11, *at[uint32](im.VA))

	other := h.memory(1, 3*page, vram)
	never, ok := h.buffers[other.Handle].place()
	require.True(t, ok)
	for what, share := range map[string][4]uint32{
		"nothing":                 {},
		"a file without memory":   {shareMark<<16 | 1, uint32(os.Getpid()), 512, 1 << 6},
		"a process that is none":  {e.Share[0], 1 << 30, e.Share[2], e.Share[3]},
		"more pages than lent":    {e.Share[0], e.Share[1], e.Share[2], e.Share[3] + 1<<6},
		"far more":                {e.Share[0], e.Share[1], e.Share[2], 0x7fffffff},
		"no pages":                {e.Share[0], e.Share[1], e.Share[2], 0},
		"pages inside the block":  {e.Share[0], e.Share[1], e.Share[2] + 1, e.Share[3]},
		"pages where no block is": {e.Share[0], e.Share[1], e.Share[2] | 0xff0000, e.Share[3]},
		"a block never lent":      {e.Share[0], e.Share[1], uint32(never.offset / page), e.Share[3]},
	} {
		im := importIPCArgs{VA: h.reserve(3*page, syscall.PROT_NONE), Share: share, GPUID: 0x5001}
		require.Equal(t, syscall.EINVAL, ask(h, 0, 0x80, &im), what)
	}
}

func TestVirtualMemoryIsMappedAndUnmappedByGPU(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2})
	a := allocArgs{VA: 1<<48 + page, Size: 2 * page, GPUID: 0x5001, Flags: vram | writable}
	require.Zero(t, ask(h, 0, 0x16, &a), "memory without an address")
	e := exportArgs{Handle: a.Handle}
	require.Zero(t, ask(h, 0, 0x24, &e))
	va := h.reserve(2*page, syscall.PROT_NONE)
	var objects [3]uint32
	for gpu := 1; gpu <= 2; gpu++ {
		p := primeArgs{FD: int32(e.FD)}
		require.Zero(t, ask(h, gpu, 0x2e, &p))
		objects[gpu] = p.Object
		require.Zero(t, ask(h, gpu, 0x48, &vaArgs{Object: p.Object, Operation: vaMap, Flags: vaWritable, VA: va, Size: 2 * page}))
	}
	*at[uint32](va) = 5
	o := offsetArgs{uint64(objects[2])}
	require.Zero(t, ask(h, 2, 0x41, &o))
	require.Equal(t, a.Offset, o.Value)
	for gpu := 1; gpu <= 2; gpu++ {
		require.EqualValues(t, 5, *at[uint32](va), "one of them has it yet")
		unmap := vaArgs{Object: objects[gpu], Operation: vaUnmap, VA: va, Size: 2 * page}
		require.Zero(t, ask(h, gpu, 0x48, &unmap))
		require.Equal(t, syscall.EINVAL, ask(h, gpu, 0x48, &unmap), "unmapped twice")
		require.Zero(t, ask(h, gpu, 0x09, &objectArgs{Object: objects[gpu]}))
	}
	require.True(t, mapped(va), "the addresses stay reserved")
	require.Zero(t, ask(h, 0, 0x17, &freeArgs{a.Handle}))
	require.EqualValues(t, 64<<20, h.Left(1))
}

func TestXNACKIsForChipsThatHaveIt(t *testing.T) {
	for chip, want := range map[string]struct {
		now   int32
		errno syscall.Errno
	}{"gfx906": {0, syscall.EPERM}, "gfx90a": {0, syscall.EPERM}, "gfx90a:xnack+": {1, 0}} {
		h := newHost(t, hsa.Options{Chip: chip})
		x := xnackArgs{-1}
		require.Zero(t, ask(h, 0, 0x21, &x))
		require.Equal(t, want.now, x.Enabled, chip)
		require.Equal(t, want.errno, ask(h, 0, 0x21, &xnackArgs{1}), chip)
		require.Zero(t, ask(h, 0, 0x21, &xnackArgs{0}), chip)
	}
}

func TestEventsAreWaitedFor(t *testing.T) {
	h := newHost(t, hsa.Options{})
	var e createEventArgs
	e.AutoReset = 1
	require.Zero(t, ask(h, 0, 0x08, &e))
	require.NotZero(t, e.Page, "the thunk gives the event no mailbox otherwise")
	require.Equal(t, e.ID, e.Slot)
	list := h.reserve(page, readWrite)
	at[eventData](list).ID = e.ID
	w := waitArgs{Events: list, Count: 1, Time: 0}
	require.Zero(t, ask(h, 0, 0x0c, &w))
	require.EqualValues(t, waitTimeout, w.Result)
	require.Zero(t, ask(h, 0, 0x0a, &eventArgs{ID: e.ID}))
	require.Zero(t, ask(h, 0, 0x0c, &w))
	require.EqualValues(t, waitComplete, w.Result)
	require.NotZero(t, *at[uint64](list), "the event's age")
	require.Zero(t, ask(h, 0, 0x0c, &w))
	require.EqualValues(t, waitTimeout, w.Result, "it has reset itself, and has the age that the caller knows")

	ended := make(chan waitArgs)
	go func() {
		w := waitArgs{Events: list, Count: 1, Time: 0xffffffff}
		ask(h, 0, 0x0c, &w)
		ended <- w
	}()
	for h.Waiters(e.ID) == 0 {
	}
	require.Zero(t, ask(h, 0, 0x09, &eventArgs{ID: e.ID}))
	require.EqualValues(t, waitFailed, (<-ended).Result, "the event has gone")
	require.Equal(t, syscall.EINVAL, ask(h, 0, 0x0c, &w))
}

func TestMemoryIsVisibleToTheGPUsThatItIsMappedTo(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2})
	a := h.memory(1, page, vram)
	for _, c := range []struct {
		number   uint64
		gpus     []uint32
		one, two bool
	}{{0x18, []uint32{1}, true, false}, {0x18, []uint32{2}, true, true}, {0x19, []uint32{1}, false, true}, {0x19, []uint32{2}, false, false}} {
		h.shown(a, c.number, c.gpus...)
		require.Equal(t, []bool{c.one, c.two}, []bool{h.Sees(1, a.VA, true), h.Sees(2, a.VA, true)})
	}
}

// Without XNACK GPUs see of the host's memory what they were given access to, at its own address.
func TestRangesOfTheHostAreVisibleOnceAccessIsGiven(t *testing.T) {
	h := newHost(t, hsa.Options{Devices: 2})
	pages := h.reserve(4*page, readWrite)
	require.False(t, h.Sees(1, pages, true))
	arg := h.reserve(page, readWrite)
	set := func(op uint32, start, size uint64, kind, value uint32) (syscall.Errno, [2]uint32) {
		*at[svmArgs](arg) = svmArgs{Start: start, Size: size, Op: op, Count: 1}
		*at[[2]uint32](arg + svmHeader) = [2]uint32{kind, value}
		errno := h.Ioctl(0, 0x20|(svmHeader+8)<<16, arg)
		return errno, *at[[2]uint32](arg + svmHeader)
	}
	const access, get = 2, 1
	errno, _ := set(0, pages+page, 2*page, access, 0x5001)
	require.Zero(t, errno)
	require.Equal(t, []bool{false, true, true, false, false},
		[]bool{h.Sees(1, pages, true), h.Sees(1, pages+page, true), h.Sees(1, pages+2*page, true), h.Sees(1, pages+3*page, true), h.Sees(2, pages+page, true)})
	errno, pair := set(get, pages+page, page, access, 0x5001)
	require.Zero(t, errno)
	require.Equal(t, [2]uint32{access, 0x5001}, pair)
	errno, pair = set(get, pages, page, access, 0x5001)
	require.Zero(t, errno)
	require.Equal(t, [2]uint32{svmNoAccess, 0x5001}, pair)
	errno, _ = set(0, pages, page, access, 0x5007)
	require.Equal(t, syscall.EINVAL, errno, "no such GPU")

	require.Zero(t, h.Unmap(pages+page, page, false))
	require.False(t, h.Sees(1, pages+page, true), "the host has unmapped it")
	require.True(t, h.Sees(1, pages+2*page, true))
}

// Before ROCm 6.2 registered memory has another address on the GPU.
func TestPagesOfTheHostMayHaveAnotherAddress(t *testing.T) {
	h := newHost(t, hsa.Options{})
	pages, va := h.reserve(page, readWrite), h.reserve(page, syscall.PROT_NONE)
	a := allocArgs{VA: va, Size: page, GPUID: 0x5001, Flags: userPages | writable, Offset: pages}
	require.Zero(t, ask(h, 0, 0x16, &a))
	h.shown(a, 0x18, 1)
	require.False(t, h.Sees(1, pages, true))
	at, ok := h.Where(1, va+8)
	require.True(t, ok)
	require.Equal(t, pages+8, at)
	require.Zero(t, h.Unmap(pages, page, false))
	_, ok = h.Where(1, va)
	require.False(t, ok, "the host has unmapped it")
}
