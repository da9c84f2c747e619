package hsakmt

import (
	"encoding/binary"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// hostPages are pages of the host that no GPU knows.
func hostPages(t *testing.T, size int) []byte {
	b, err := syscall.Mmap(-1, 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	require.NoError(t, err)
	t.Cleanup(func() { _ = syscall.Munmap(b) })
	return b
}

func TestAllocationsAreZeroAndAligned(t *testing.T) {
	h := newHost(t, Options{})
	small, large := h.alloc(firstGPU, page), h.alloc(firstGPU, hugePage)
	require.Zero(t, small%page)
	require.Zero(t, large%hugePage)
	require.Zero(t, load64(large+hugePage-8))
	out := h.alloc(hostNode, page)
	require.Equal(t, Success, h.AllocMemoryAlign(firstGPU, page, 1<<16, 0, out))
	require.Zero(t, load64(out)%(1<<16))
}

func TestMemoryRunsOutAndComesBack(t *testing.T) {
	h := newHost(t, Options{Memory: 8 << 20})
	out := h.alloc(hostNode, page)
	require.Equal(t, Success, h.AllocMemory(firstGPU, 6<<20, 0, out))
	require.Equal(t, NoMemory, h.AllocMemory(firstGPU, 4<<20, 0, out+8))
	require.Equal(t, Success, h.AvailableMemory(firstGPU, out+16))
	require.Equal(t, uint64(2<<20), load64(out+16))
	require.Equal(t, Success, h.AllocMemory(firstGPU, 4<<30, uint32(scratch), out+8), "scratch is addresses only")
	require.Equal(t, Success, h.FreeMemory(load64(out), 6<<20))
	require.Equal(t, Success, h.AllocMemory(firstGPU, 8<<20, 0, out))
}

func TestBadAllocationsAreRefused(t *testing.T) {
	h := newHost(t, Options{})
	out := h.alloc(hostNode, page)
	require.Equal(t, InvalidNode, h.AllocMemory(2, page, 0, out))
	require.Equal(t, InvalidParameter, h.AllocMemory(firstGPU, 0, 0, out))
	require.Equal(t, InvalidParameter, h.AllocMemory(firstGPU, 100, 0, out))
	require.Equal(t, InvalidParameter, h.AllocMemory(hostNode, 1<<60, 0, out))
	require.Equal(t, NoMemory, h.AllocMemory(hostNode, 1<<46, 0, out))
	require.Equal(t, NotSupported, h.AllocMemory(firstGPU, page, uint32(gdsMemory), out))
	require.Equal(t, Failure, h.FreeMemory(out+64, page))
	require.Equal(t, Failure, h.FreeMemory(0, page))
	require.Equal(t, Failure, h.MapMemoryToGPUNodes(0x1234000, page, 0, 0, 1, nodesAt(out, 1)))
	require.Equal(t, InvalidParameter, h.MapMemoryToGPU(0x1234000, page, 0))
	require.Equal(t, InvalidNode, h.MapMemoryToGPUNodes(out, page, 0, 0, 1, nodesAt(out, 9)))
}

// nodesAt writes an array of nodes.
func nodesAt(addr uint64, nodes ...uint32) uint64 {
	for i, n := range nodes {
		store32(addr+2048+uint64(4*i), n)
	}
	return addr + 2048
}

func TestFixedAddressesAreTakenOnce(t *testing.T) {
	h := newHost(t, Options{})
	out := h.alloc(hostNode, page)
	free, err := mapPages(page, page, 0, readWrite)
	require.NoError(t, err)
	unmapPages(free, page)
	store64(out, free)
	require.Equal(t, Success, h.AllocMemory(firstGPU, page, uint32(fixedAddress), out))
	require.Equal(t, free, load64(out))
	require.Equal(t, NoMemory, h.AllocMemory(firstGPU, page, uint32(fixedAddress), out))
}

func TestUnmappedMemoryFaults(t *testing.T) {
	h := newHost(t, Options{})
	counter := h.alloc(firstGPU, 8)
	require.Equal(t, Success, h.UnmapMemoryToGPU(counter))
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(count), h.kernargs(counter), 64, 64, 0)
	h.value(q.inactive, memoryViolation)
}

func TestRegisteredMemoryHasAnotherAddressForGPUs(t *testing.T) {
	h := newHost(t, Options{})
	pages := hostPages(t, 4*page)
	host := addressOf(pages) + 100 // neither begins nor ends at a page's
	out := h.alloc(hostNode, page)
	require.Equal(t, Success, h.RegisterMemoryWithFlags(host, 2*page, 0))
	require.Equal(t, Success, h.MapMemoryToGPU(host, 2*page, out))
	device := load64(out)
	require.NotEqual(t, host, device)
	require.Equal(t, host%page, device%page)

	for i := range 64 {
		binary.LittleEndian.PutUint32(pages[100+4*i:], uint32(i+1))
	}
	done := h.signal(2)
	result := h.alloc(firstGPU, page)
	q := h.queueOn(firstGPU, 64)
	object := h.object(move)
	q.launch(object, h.kernargs(device, result), 64, 64, done)
	q.launch(object, h.kernargs(result, device+1024), 64, 64, done)
	h.value(done, 0)
	for i := range 64 {
		require.Equal(t, uint32(i+1), load32(result+uint64(4*i)))
		require.Equal(t, uint32(i+1), binary.LittleEndian.Uint32(pages[100+1024+4*i:]), "written by the GPU at the host's own page")
	}

	counted := h.signal(1)
	q.launch(h.object(count), h.kernargs(device+2048), 64, 64, counted)
	h.value(counted, 0)
	require.Equal(t, uint32(64), binary.LittleEndian.Uint32(pages[100+2048:]), "atomics, too")

	require.Equal(t, Success, h.UnmapMemoryToGPU(host))
	require.Equal(t, Success, h.DeregisterMemory(host))
	require.Equal(t, MemoryNotRegistered, h.DeregisterMemory(host))
}

func TestUnregisteredMemoryFaultsUnlessXNACKIsOn(t *testing.T) {
	pages := hostPages(t, page)
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(count), h.kernargs(addressOf(pages)), 64, 64, 0)
	h.value(q.inactive, memoryViolation)

	h = newHost(t, Options{Chip: "gfx906:xnack+"})
	done := h.signal(1)
	h.queueOn(firstGPU, 64).launch(h.object(count), h.kernargs(addressOf(pages)), 64, 64, done)
	h.value(done, 0)
	require.Equal(t, uint32(64), binary.LittleEndian.Uint32(pages))
}

// A host that frees a registered array, and has the GPU use it, is told so.
func TestRegisteredMemoryThatTheHostUnmappedFaults(t *testing.T) {
	h := newHost(t, Options{})
	host, err := mapPages(2*page, page, 0, readWrite)
	require.NoError(t, err)
	out := h.alloc(hostNode, page)
	require.Equal(t, Success, h.RegisterMemory(host, 2*page))
	require.Equal(t, Success, h.MapMemoryToGPU(host, 2*page, out))
	q, object, done := h.queueOn(firstGPU, 64), h.object(count), h.signal(1)
	arguments := h.kernargs(load64(out))
	q.launch(object, arguments, 64, 64, done)
	h.value(done, 0)
	unmapPages(host+page, page)
	q.launch(object, arguments, 64, 64, 0)
	h.value(q.inactive, memoryViolation)
	require.Contains(t, h.reported(), "to an address that is not mapped")
	require.Equal(t, Success, h.DeregisterMemory(host))
	unmapPages(host, page)
}

func TestRegistrationsAreCounted(t *testing.T) {
	h := newHost(t, Options{})
	host := addressOf(hostPages(t, page))
	out := h.alloc(hostNode, page)
	require.Equal(t, Success, h.RegisterMemory(host, page))
	require.Equal(t, Success, h.MapMemoryToGPU(host, page, out))
	require.Equal(t, Success, h.RegisterMemory(host, page))
	require.Equal(t, Success, h.MapMemoryToGPU(host, page, out+8))
	require.Equal(t, load64(out), load64(out+8))
	require.Equal(t, Success, h.DeregisterMemory(host))
	require.Equal(t, Success, h.UnmapMemoryToGPU(host))
	q, done := h.queueOn(firstGPU, 64), h.signal(1)
	q.launch(h.object(count), h.kernargs(load64(out)), 64, 64, done)
	h.value(done, 0)
	require.Equal(t, Success, h.DeregisterMemory(load64(out)), "by the GPU's address")
	require.Equal(t, MemoryNotRegistered, h.DeregisterMemory(host))
	require.Equal(t, InvalidHandle, h.RegisterMemory(out, 64), "an allocation")
}

func TestRegistrationsOfOneAddressAreApart(t *testing.T) {
	h := newHost(t, Options{})
	host, out := addressOf(hostPages(t, 2*page)), h.alloc(hostNode, page)
	require.Equal(t, Success, h.RegisterMemory(host, 256))
	require.Equal(t, Success, h.MapMemoryToGPU(host, 256, out))
	require.Equal(t, Success, h.RegisterMemory(host, 2*page))
	require.Equal(t, Success, h.MapMemoryToGPU(host, 2*page, out+8))
	require.NotEqual(t, load64(out), load64(out+8))
	require.Equal(t, Success, h.UnmapMemoryToGPU(host), "the older one")
	require.Equal(t, Success, h.DeregisterMemory(host))
	q, done := h.queueOn(firstGPU, 64), h.signal(1)
	q.launch(h.object(count), h.kernargs(load64(out+8)+page), 64, 64, done)
	h.value(done, 0)
}

func TestPointersAreDescribed(t *testing.T) {
	h := newHost(t, Options{Devices: 2})
	info := h.alloc(hostNode, page)
	ask := func(address uint64) record {
		require.Equal(t, Success, h.QueryPointerInfo(address, info))
		return recordAt(info, 0, pointerInfo, ROCm5)
	}
	device := h.alloc(2, 3*page)
	require.Equal(t, Success, h.MapMemoryToGPUNodes(device, 3*page, 0, 0, 1, nodesAt(info, 2)))
	require.Equal(t, Success, h.SetMemoryUserData(device+page, 77))
	r := ask(device + 2*page)
	require.Equal(t, []uint64{uint64(allocated), 2, device, device, 3 * page, 1, 77},
		[]uint64{r.get("Type"), r.get("Node"), r.get("CPUAddress"), r.get("GPUAddress"), r.get("SizeInBytes"), r.get("NMappedNodes"), r.get("UserData")})
	require.Equal(t, uint32(2), load32(r.get("MappedNodes")))

	host := addressOf(hostPages(t, page)) + 8
	require.Equal(t, Success, h.RegisterMemory(host, 100))
	require.Equal(t, Success, h.MapMemoryToGPU(host, 100, info+1024))
	for _, address := range []uint64{host, load64(info + 1024)} {
		r = ask(address)
		require.Equal(t, []uint64{uint64(registered), host, load64(info + 1024), 100},
			[]uint64{r.get("Type"), r.get("CPUAddress"), r.get("GPUAddress"), r.get("SizeInBytes")})
	}
	require.Equal(t, Failure, h.QueryPointerInfo(12345, info))
	require.Zero(t, recordAt(info, 0, pointerInfo, ROCm5).get("Type"))
}

func TestMemoryOfOneGPUIsVisibleToAnotherOnceItIsMapped(t *testing.T) {
	h := newHost(t, Options{Devices: 2})
	out := h.alloc(hostNode, page)
	require.Equal(t, Success, h.AllocMemory(1, page, 0, out))
	counter := load64(out)
	require.Equal(t, Success, h.MapMemoryToGPUNodes(counter, page, 0, 0, 1, nodesAt(out, 1)))
	q := h.queueOn(2, 64)
	q.launch(h.object(count), h.kernargs(counter), 64, 64, 0)
	h.value(q.inactive, memoryViolation)

	require.Equal(t, Success, h.MapMemoryToGPUNodes(counter, page, 0, 0, 2, nodesAt(out, 1, 2)))
	done := h.signal(1)
	h.queueOn(2, 64).launch(h.object(count), h.kernargs(counter), 64, 64, done)
	h.value(done, 0)
	require.Equal(t, uint32(64), load32(counter))
}

func TestMemoryFreedUnderAKernelHarmsNobody(t *testing.T) {
	h := newHost(t, Options{})
	flag, done := h.alloc(firstGPU, 8), h.signal(1)
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(spin), h.kernargs(flag), 64, 64, done)
	require.Eventually(t, func() bool {
		h.space.mu.Lock()
		defer h.space.mu.Unlock()
		return len(h.space.unmaps.running) == 1
	}, patience, time.Millisecond)
	require.Equal(t, Success, h.FreeMemory(flag, page))
	require.Equal(t, Success, h.DestroyQueue(q.id))
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	require.Empty(t, h.space.unmaps.pages, "given back once the kernel was over")
}

// The kernel goes on with what it found, or faults; the host and other queues go on.
func TestMemoryUnregisteredUnderAKernelHarmsNobody(t *testing.T) {
	h := newHost(t, Options{})
	pages, out := hostPages(t, page), h.alloc(hostNode, page)
	host := addressOf(pages)
	require.Equal(t, Success, h.RegisterMemory(host, page))
	require.Equal(t, Success, h.MapMemoryToGPU(host, page, out))
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(spin), h.kernargs(load64(out)), 64, 64, 0)
	require.Eventually(t, func() bool {
		h.space.mu.Lock()
		defer h.space.mu.Unlock()
		return len(h.space.unmaps.running) == 1
	}, patience, time.Millisecond)
	require.Equal(t, Success, h.UnmapMemoryToGPU(host))
	require.Equal(t, Success, h.DeregisterMemory(host))
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	h.queueOn(firstGPU, 64).launch(h.object(count), h.kernargs(counter), 64, 64, done)
	h.value(done, 0)
	require.Equal(t, Success, h.DestroyQueue(q.id))
}

func TestCodeThatReplacesOtherCodeIsSeen(t *testing.T) {
	h := newHost(t, Options{})
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	object, args := h.object(count), h.kernargs(counter)
	q := h.queueOn(firstGPU, 64)
	q.launch(object, args, 64, 64, done)
	h.value(done, 0)
	store32(object+256+8, 0x7e020282) // v_mov_b32 v1, 2
	store64(done+signalValue, 1)
	q.launch(object, args, 64, 64, done)
	h.value(done, 0)
	require.Equal(t, uint32(64+128), load32(counter))
}
