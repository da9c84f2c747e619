package hsa

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

func TestMemoryRunsOutAndComesBack(t *testing.T) {
	h := newHost(t, Options{Memory: 8 << 20})
	require.True(t, h.Charge(firstGPU, 6<<20))
	require.False(t, h.Charge(firstGPU, 4<<20))
	require.EqualValues(t, 2<<20, h.Left(firstGPU))
	h.Discharge(firstGPU, 6<<20)
	require.True(t, h.Charge(firstGPU, 8<<20))
}

func TestUnmappedMemoryFaults(t *testing.T) {
	h := newHost(t, Options{})
	counter := h.alloc(firstGPU, 8)
	h.Hide(h.blocks[counter], everyNode)
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(counting), h.kernargs(counter), 64, 64, 0)
	h.value(q.inactive, memoryViolation)
}

func TestRegisteredMemoryHasAnotherAddressForGPUs(t *testing.T) {
	h := newHost(t, Options{})
	pages := hostPages(t, 4*page)
	host := addressOf(pages)
	device := h.register(host, 2*page) + 100

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
	q.launch(h.object(counting), h.kernargs(device+2048), 64, 64, counted)
	h.value(counted, 0)
	require.Equal(t, uint32(64), binary.LittleEndian.Uint32(pages[100+2048:]), "atomics, too")
}

func TestUnregisteredMemoryFaultsUnlessXNACKIsOn(t *testing.T) {
	pages := hostPages(t, page)
	h := newHost(t, Options{})
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(counting), h.kernargs(addressOf(pages)), 64, 64, 0)
	h.value(q.inactive, memoryViolation)

	h = newHost(t, Options{Chip: "gfx906:xnack+"})
	done := h.signal(1)
	h.queueOn(firstGPU, 64).launch(h.object(counting), h.kernargs(addressOf(pages)), 64, 64, done)
	h.value(done, 0)
	require.Equal(t, uint32(64), binary.LittleEndian.Uint32(pages))
}

// A host that frees a registered array, and has the GPU use it, is told so.
func TestRegisteredMemoryThatTheHostUnmappedFaults(t *testing.T) {
	h := newHost(t, Options{})
	host, err := mapPages(2*page, page, 0, readWrite)
	require.NoError(t, err)
	device := h.register(host, 2*page)
	q, object, done := h.queueOn(firstGPU, 64), h.object(counting), h.signal(1)
	arguments := h.kernargs(device)
	q.launch(object, arguments, 64, 64, done)
	h.value(done, 0)
	unmapPages(host+page, page)
	q.launch(object, arguments, 64, 64, 0)
	h.value(q.inactive, memoryViolation)
	require.Contains(t, h.reported(), "to an address that is not mapped")
	h.free(device)
	unmapPages(host, page)
}

func TestMemoryOfOneGPUIsVisibleToAnotherOnceItIsMapped(t *testing.T) {
	h := newHost(t, Options{Devices: 2})
	counter := h.alloc(1, page)
	h.Hide(h.blocks[counter], uint64(nodeBit(2)))
	q := h.queueOn(2, 64)
	q.launch(h.object(counting), h.kernargs(counter), 64, 64, 0)
	h.value(q.inactive, memoryViolation)

	h.Show(h.blocks[counter], uint64(nodeBit(2)))
	done := h.signal(1)
	h.queueOn(2, 64).launch(h.object(counting), h.kernargs(counter), 64, 64, done)
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
	h.free(flag)
	require.NoError(t, h.DestroyQueue(q.id))
	h.space.mu.Lock()
	defer h.space.mu.Unlock()
	require.Empty(t, h.space.unmaps.pages, "given back once the kernel was over")
}

// The kernel goes on with what it found, or faults; the host and other queues go on.
func TestMemoryUnregisteredUnderAKernelHarmsNobody(t *testing.T) {
	h := newHost(t, Options{})
	device := h.register(addressOf(hostPages(t, page)), page)
	q := h.queueOn(firstGPU, 64)
	q.launch(h.object(spin), h.kernargs(device), 64, 64, 0)
	require.Eventually(t, func() bool {
		h.space.mu.Lock()
		defer h.space.mu.Unlock()
		return len(h.space.unmaps.running) == 1
	}, patience, time.Millisecond)
	h.free(device)
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	h.queueOn(firstGPU, 64).launch(h.object(counting), h.kernargs(counter), 64, 64, done)
	h.value(done, 0)
	require.NoError(t, h.DestroyQueue(q.id))
}

func TestCodeThatReplacesOtherCodeIsSeen(t *testing.T) {
	h := newHost(t, Options{})
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	object, args := h.object(counting), h.kernargs(counter)
	q := h.queueOn(firstGPU, 64)
	q.launch(object, args, 64, 64, done)
	h.value(done, 0)
	store32(object+256+8, 0x7e020282) // v_mov_b32 v1, 2
	store64(done+signalValue, 1)
	q.launch(object, args, 64, 64, done)
	h.value(done, 0)
	require.Equal(t, uint32(64+128), load32(counter))
}
