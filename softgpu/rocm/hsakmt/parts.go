package hsakmt

import "github.com/mgpu-runtime/mgpu/softgpu/internal/emu"

// The parts that nodes list: memory banks, caches, links.

// HSA_HEAPTYPE and HSA_IOLINKTYPE values.
const (
	heapSystem  = 0
	heapPrivate = 2 // the host maps it too; called public, the runtime copies to it by itself
	heapLDS     = 4
	heapScratch = 5

	linkPCIe = 2
)

// Bits of HsaCacheType.
const (
	dataCache = 1 << 0
	ofCPU     = 1 << 2
	ofGPU     = 1 << 3
)

// GetNodeMemoryProperties describes a node's memory banks.
func (t *Thunk) GetNodeMemoryProperties(node, count uint32, array uint64) Status {
	return t.list(node, count, array, memoryProperties, t.banks)
}

// GetNodeCacheProperties describes a node's caches.
func (t *Thunk) GetNodeCacheProperties(node, _, count uint32, array uint64) Status {
	return t.list(node, count, array, cacheProperties, t.caches)
}

// GetNodeIoLinkProperties describes the links that begin at a node.
func (t *Thunk) GetNodeIoLinkProperties(node, count uint32, array uint64) Status {
	return t.list(node, count, array, linkProperties, t.links)
}

func (t *Thunk) list(node, count uint32, array uint64, l layout, parts func(uint32) []values) Status {
	if int(node) >= t.nodes() {
		return InvalidNode
	}
	if array == 0 {
		return InvalidParameter
	}
	all := parts(node)
	for i := range int(count) {
		r := newRecord(array, i, l, t.release())
		if i < len(all) {
			r.setAll(all[i])
		}
	}
	return Success
}

func (t *Thunk) banks(node uint32) []values {
	if node == hostNode {
		return []values{{"HeapType": heapSystem, "SizeInBytes": systemMemory() &^ (page - 1), "Width": 64, "MemoryClockMax": 3200}}
	}
	return []values{
		{"HeapType": heapPrivate, "SizeInBytes": t.vram, "Width": 4096, "MemoryClockMax": 1000},
		{"HeapType": heapLDS, "SizeInBytes": uint64(t.gpus[0].machine.LDS()), "VirtualBaseAddress": emu.SharedBase},
		{"HeapType": heapScratch, "SizeInBytes": 4 << 30, "VirtualBaseAddress": emu.PrivateBase},
	}
}

// caches: ROCr wants a cache of the processor's at every level that it lists.
func (t *Thunk) caches(node uint32) []values {
	of := uint64(ofGPU)
	if node == hostNode {
		of = ofCPU
	}
	return []values{
		{"CacheLevel": 1, "CacheSize": 16, "CacheLineSize": 64, "CacheLinesPerTag": 1, "CacheType": dataCache | of},
		{"CacheLevel": 2, "CacheSize": 4096, "CacheLineSize": 64, "CacheLinesPerTag": 1, "CacheType": dataCache | of},
	}
}

// links: PCI express from each GPU to the host and to the others. One from the host
// to a GPU would mean that the host may access all of its memory.
func (t *Thunk) links(node uint32) []values {
	if node == hostNode {
		return nil
	}
	var all []values
	for to := range uint32(t.nodes()) {
		if to == node {
			continue
		}
		weight := uint64(20)
		if to != hostNode {
			weight = 40 // over the host's bridge
		}
		all = append(all, values{
			"IoLinkType": linkPCIe, "NodeFrom": uint64(node), "NodeTo": uint64(to), "Weight": weight,
			"MinimumBandwidth": 312, "MaximumBandwidth": 16000,
		})
	}
	return all
}
