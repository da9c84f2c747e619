package hsa

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// to is code that goes to an address; s[4:5] stays what it is.
func to(address uint64) []uint32 {
	return []uint32{
		0xbe8a00ff, uint32(address), // s_mov_b32 s10, low
		0xbe8b00ff, uint32(address >> 32), // s_mov_b32 s11, high
		0xbe801d0a, // s_setpc_b64 s[10:11]
	}
}

// The size of a kernel is unknown if the runtime does not list its code object.
func TestKernelsThatNoListHasMayBeOfAnySize(t *testing.T) {
	h := newHost(t, Options{})
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	q := h.queueOn(firstGPU, 64)
	for _, words := range []int{0, mostUnknown/4 - 3, mostUnknown / 4, 300_000} {
		t.Run(fmt.Sprint(words), func(t *testing.T) {
			store32(counter, 0)
			store64(done+signalValue, 1)
			code := append(slices.Repeat([]uint32{0xbf800000}, words), counting...) // s_nop
			object := h.object(code)
			q.launch(object, h.kernargs(counter), 64, 64, done)
			h.value(done, 0)
			require.Equal(t, uint32(64), load32(counter))

			two := object + 256 + 4*uint64(words) + 8
			store32(two, 0x7e020282) // v_mov_b32 v1, 2
			store64(done+signalValue, 1)
			q.launch(object, h.kernargs(counter), 64, 64, done)
			h.value(done, 0)
			require.Equal(t, uint32(64+128), load32(counter), "what was decoded before is not what is there now")
		})
	}
}

// A kernel goes to code in other memory of the GPU, before and after its own.
func TestKernelsGoToCodeInOtherMemory(t *testing.T) {
	h := newHost(t, Options{})
	counter, done := h.alloc(firstGPU, 8), h.signal(1)
	q := h.queueOn(firstGPU, 64)
	for _, node := range []uint32{hostNode, firstGPU} {
		elsewhere := h.alloc(node, 4*page)
		for n, at := range []uint64{elsewhere, elsewhere + 3*page} {
			for i, w := range counting {
				store32(at+uint64(4*i), w)
			}
			store32(counter, 0)
			store64(done+signalValue, 1)
			own := h.objectAt(elsewhere+page, to(at))
			q.launch(own, h.kernargs(counter), 64, 64, done)
			h.value(done, 0)
			require.Equal(t, uint32(64), load32(counter), "node %d, %d", node, n)
		}
	}
}

func TestKernelsThatGoWhereNoMemoryIs(t *testing.T) {
	gone := func(h *host) uint64 {
		at := h.alloc(hostNode, page)
		h.free(at)
		return at
	}
	for name, address := range map[string]func(h *host) uint64{
		"nowhere": func(*host) uint64 { return 0 }, "far away": func(*host) uint64 { return 0x7fff_ffff_f000 }, "freed": gone,
		"no address": func(*host) uint64 { return 1 << 60 },
	} {
		t.Run(name, func(t *testing.T) {
			h := newHost(t, Options{})
			q := h.queueOn(firstGPU, 64)
			own := h.alloc(hostNode, page)
			at := address(h)
			q.launch(h.objectAt(own, to(at)), 0, 64, 64, 0)
			line := h.reported()
			require.Contains(t, line, fmt.Sprintf("program counter outside the code: goes to %#x,", at))
			require.Contains(t, line, "s_setpc_b64 s[10:11]")
			h.value(q.inactive, illegalInstruction)
		})
	}
}
