package hsa

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAttributesHoldForTheirPages(t *testing.T) {
	h := newHost(t, Options{Chip: "gfx90a:xnack+", Devices: 2})
	host := addressOf(hostPages(t, 4*page))
	require.NoError(t, h.SetSVM(host+page, 2*page, []SVMAttribute{{svmPreferred, 1}, {svmClearFlags, 2}, {svmAccessInPlace, 2}}))
	get := func(lo, hi uint64, kind, value uint32) (uint32, uint32) {
		a := []SVMAttribute{{kind, value}}
		require.NoError(t, h.GetSVM(host+lo*page, (hi-lo)*page, a))
		return a[0].Kind, a[0].Value
	}
	for _, c := range []struct {
		lo, hi          uint64
		location, flags uint32
	}{{0, 1, nowhere, 3}, {1, 3, 1, 1}, {2, 3, 1, 1}, {3, 4, nowhere, 3}, {0, 4, nowhere, 1}} {
		_, v := get(c.lo, c.hi, svmPreferred, 0)
		require.Equal(t, c.location, v, "pages %d to %d", c.lo, c.hi)
		_, v = get(c.lo, c.hi, svmSetFlags, 0)
		require.Equal(t, c.flags, v, "pages %d to %d", c.lo, c.hi)
	}
	kind, _ := get(1, 2, svmAccess, 2)
	require.Equal(t, uint32(svmAccessInPlace), kind)
	kind, _ = get(1, 2, svmAccess, 1)
	require.Equal(t, uint32(svmAccess), kind)
	_, v := get(0, 4, svmGranularity, 0)
	require.Equal(t, uint32(9), v)
}

func TestNodesWithoutAccessFault(t *testing.T) {
	h := newHost(t, Options{Chip: "gfx90a:xnack+"})
	host := addressOf(hostPages(t, page))
	require.NoError(t, h.SetSVM(host, page, []SVMAttribute{{svmNoAccess, firstGPU}}))
	h.space.mu.RLock()
	defer h.space.mu.RUnlock()
	require.True(t, h.space.svmDenies(host+100, nodeBit(firstGPU)))
	require.False(t, h.space.svmDenies(host+page, nodeBit(firstGPU)))
}

func TestBadAttributesAreRefused(t *testing.T) {
	h := newHost(t, Options{Chip: "gfx90a:xnack+"})
	host := addressOf(hostPages(t, page))
	require.ErrorIs(t, h.SetSVM(host, page, []SVMAttribute{{svmPreferred, 7}}), errNoNode)
	require.ErrorIs(t, h.SetSVM(host, page, []SVMAttribute{{99, 0}}), errNoAttribute)
	require.ErrorIs(t, h.GetSVM(host, page, []SVMAttribute{{svmAccess, 7}}), errNoNode)
	require.ErrorIs(t, h.GetSVM(host, page, []SVMAttribute{{99, 0}}), errNoAttribute)
}

// Libraries lock buffers that share a page, and copy 16 bytes at once to addresses that are multiples of 8.
func TestAccessesMayCrossRangesThatWereGranted(t *testing.T) {
	h := newHost(t, Options{Chip: "gfx90a"})
	host := addressOf(hostPages(t, 4*page))
	grant := []SVMAttribute{{svmAccessInPlace, firstGPU}}
	require.NoError(t, h.SetSVM(host, 2*page, grant))
	require.NoError(t, h.SetSVM(host+page, 2*page, grant))
	require.Len(t, h.space.svm, 1, "equal neighbours are one range")
	window := func() (uint64, uint64) {
		lo, hi, ok := h.gpus[0].view().Window(host+2*page-8, true)
		require.True(t, ok)
		return lo - host, hi - host
	}
	lo, hi := window()
	require.Equal(t, []uint64{0, 3 * page}, []uint64{lo, hi})

	require.NoError(t, h.SetSVM(host+2*page, page, []SVMAttribute{{svmPrefetch, firstGPU}}))
	require.NoError(t, h.SetSVM(host+page, page, []SVMAttribute{{svmPreferred, firstGPU}}))
	require.Len(t, h.space.svm, 3)
	lo, hi = window()
	require.Equal(t, []uint64{0, 3 * page}, []uint64{lo, hi}, "other attributes do not matter")

	require.NoError(t, h.SetSVM(host, page, []SVMAttribute{{svmNoAccess, firstGPU}}))
	lo, hi = window()
	require.Equal(t, []uint64{page, 3 * page}, []uint64{lo, hi})
}
