package hsa

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCheckedBlocksEndWhereTheProgramWants(t *testing.T) {
	h := newHost(t, Options{Check: "memory"})
	b := h.alloc(firstGPU, page)
	v := h.gpus[0].view()
	_, hi, ok := v.Window(b, true)
	require.True(t, ok)
	require.Equal(t, b+page, hi)
	h.Allocated(&Allocation{Address: b, Size: 100, Site: Site{Call: "hipMalloc", File: "/no/such/file", Base: 0x1000, Caller: 0x1234}})
	_, hi, ok = v.Window(b, true)
	require.True(t, ok)
	require.Equal(t, b+100, hi)
	_, _, ok = v.Window(b+100, false)
	require.False(t, ok)
	says := described{&h.space}
	require.Contains(t, says.Describe(b+104), "4 bytes past the end of the block of 100 bytes")
	require.Contains(t, says.Describe(b), "allocated by hipMalloc at file+0x234")
	_, ok = says.Find(b + 100)
	require.False(t, ok)
}

func TestCheckedBlocksKeepADistanceAndStayDead(t *testing.T) {
	h := newHost(t, Options{Check: "memory", Chip: "gfx90a:xnack+"})
	b := h.alloc(firstGPU, page)
	v := h.gpus[0].view()
	_, _, ok := v.Window(b+page, false)
	require.False(t, ok, "the guard")
	h.free(b)
	_, _, ok = v.Window(b, false)
	require.False(t, ok)
	require.Contains(t, described{&h.space}.Describe(b+8), "byte 8 of a block that was freed")
	for range mostQuarantined {
		again := h.alloc(firstGPU, page)
		require.NotEqual(t, b, again)
		h.free(again)
	}
	require.NotContains(t, described{&h.space}.Describe(b+8), "freed", "the oldest are forgotten")
}

func TestListsThatCannotBeFollowedAreErrors(t *testing.T) {
	_, err := Open(Options{Check: "memory,speed"})
	require.ErrorContains(t, err, `"speed" is not one of`)
	require.Equal(t, "memory,race,wait", newHost(t, Options{Check: "all"}).check.Modes().String())
	require.Equal(t, "memory,race,uninit,wait", newHost(t, Options{Check: "all, uninit"}).check.Modes().String())
	require.Nil(t, newHost(t, Options{Check: "off"}).check)
}
