package hsakmt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnotherProcessMapsWhatIsShared(t *testing.T) {
	a, b := newHost(t, Options{}), newHost(t, Options{}) // one process can be both
	counter, out := a.alloc(firstGPU, hugePage), a.alloc(hostNode, page)
	require.Equal(t, Success, a.ShareMemory(counter, hugePage, out))
	require.Zero(t, load32(out+4*sharedPages)&(1<<31|0x1ff), "bits that ROCr uses")

	require.Equal(t, Success, b.RegisterSharedHandle(out, out+64, out+72))
	mapped := load64(out + 64)
	require.NotEqual(t, counter, mapped)
	require.Equal(t, uint64(hugePage), load64(out+72))
	require.Equal(t, Success, b.MapMemoryToGPU(mapped, hugePage, 0))
	done := b.signal(1)
	b.queueOn(firstGPU, 64).launch(b.object(count), b.kernargs(mapped), 64, 64, done)
	b.value(done, 0)
	require.Equal(t, uint32(64), load32(counter))

	require.Equal(t, Success, b.QueryPointerInfo(mapped, out+1024))
	require.Equal(t, uint64(shared), recordAt(out+1024, 0, pointerInfo, ROCm5).get("Type"))
	require.Equal(t, Success, a.FreeMemory(counter, hugePage))
	require.Equal(t, uint32(64), load32(mapped), "who has mapped it keeps it")
	require.Equal(t, Success, b.DeregisterMemory(mapped))
	require.Equal(t, MemoryNotRegistered, b.DeregisterMemory(mapped))
}

func TestHandlesThatAreNoneAreRefused(t *testing.T) {
	h := newHost(t, Options{})
	out := h.alloc(hostNode, page)
	require.Equal(t, InvalidParameter, h.RegisterSharedHandle(out, out+64, out+72))
	require.Equal(t, InvalidParameter, h.ShareMemory(out+page, page, out))
	require.Equal(t, NotSupported, h.ShareMemory(out, page, out), "the host's memory")
	memory := h.alloc(firstGPU, page)
	require.Equal(t, Success, h.ShareMemory(memory, page, out))
	store32(out+4*sharedFile, 0)
	require.Equal(t, Failure, h.RegisterSharedHandle(out, out+64, out+72), "standard input")
	store32(out+4*sharedProcess, 1<<22+1)
	require.Equal(t, Failure, h.RegisterSharedHandle(out, out+64, out+72), "no such process")
}
