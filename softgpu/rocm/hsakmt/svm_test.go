package hsakmt

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// attributes writes pairs.
func attributes(at uint64, pairs ...uint32) uint64 {
	for i, v := range pairs {
		store32(at+uint64(4*i), v)
	}
	return at
}

func TestAttributesHoldForTheirPages(t *testing.T) {
	h := newHost(t, Options{Chip: "gfx90a:xnack+", Devices: 2})
	host, a := addressOf(hostPages(t, 4*page)), h.alloc(hostNode, page)
	require.Equal(t, Success, h.SVMSetAttr(host+page, 2*page, 3,
		attributes(a, svmPreferred, 1, svmClearFlags, 2, svmAccessInPlace, 2)))
	get := func(lo, hi uint64, kind, value uint32) (uint32, uint32) {
		require.Equal(t, Success, h.SVMGetAttr(host+lo*page, (hi-lo)*page, 1, attributes(a, kind, value)))
		return load32(a), load32(a + 4)
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
	host, a := addressOf(hostPages(t, page)), h.alloc(hostNode, page)
	require.Equal(t, Success, h.SVMSetAttr(host, page, 1, attributes(a, svmNoAccess, firstGPU)))
	h.space.mu.RLock()
	defer h.space.mu.RUnlock()
	require.True(t, h.space.svmDenies(host+100, nodeBit(firstGPU)))
	require.False(t, h.space.svmDenies(host+page, nodeBit(firstGPU)))
}

func TestBadAttributesAreRefused(t *testing.T) {
	h := newHost(t, Options{Chip: "gfx90a:xnack+"})
	host, a := addressOf(hostPages(t, page)), h.alloc(hostNode, page)
	require.Equal(t, InvalidParameter, h.SVMSetAttr(host+1, page, 0, a))
	require.Equal(t, InvalidParameter, h.SVMSetAttr(host, 0, 0, a))
	require.Equal(t, InvalidNode, h.SVMSetAttr(host, page, 1, attributes(a, svmPreferred, 7)))
	require.Equal(t, InvalidParameter, h.SVMSetAttr(host, page, 1, attributes(a, 99, 0)))
	require.Equal(t, InvalidParameter, h.SVMGetAttr(host, page, 1, attributes(a, 99, 0)))
	h = newHost(t, Options{})
	require.Equal(t, NotSupported, h.SVMSetAttr(host, page, 0, a))
}
