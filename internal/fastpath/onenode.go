package fastpath

// #include "onenode.h"
// #include "thread.h"
// #include "tune.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// goOneNodeMake makes a graph of a launch. It returns 1, or 0 if the launch gets no graph, or -1 if making it failed,
// which turns graphs off for the device.
//
//export goOneNodeMake
func goOneNodeMake(l *C.struct_launch, device C.int, out *C.struct_onenode_graph) (made C.int32_t) {
	defer rt.Guard(C.call_mgpuLaunchKernel)
	k, ok, failed := rt.MakeOneNode((*mgpu.Launch)(unsafe.Pointer(l)), int(device))
	switch {
	case failed:
		return -1
	case !ok:
		return 0
	}
	out.graph, out.exec, out.node = C.uintptr_t(k.Graph), C.uintptr_t(k.Exec), C.uintptr_t(k.Node)
	out.updates = C.uint64_t(k.Updates)
	if k.Updates == 0 {
		out.updates = 1<<64 - 1
	}
	out.params = -1
	var bytes uint32
	for _, p := range k.Params {
		bytes += p.Size
	}
	if k.Known && len(k.Params) <= len(out.size) && bytes <= C.onenode_bytes {
		out.params = C.int32_t(len(k.Params))
		for i, p := range k.Params {
			out.size[i] = C.uint16_t(p.Size)
		}
	}
	return 1
}

//export goOneNodeDrop
func goOneNodeDrop(graph, exec, stream C.uintptr_t) {
	defer rt.Guard(C.call_mgpuLaunchKernel)
	rt.DropOneNode(launchgraph.OneNode{Graph: driver.Graph(graph), Exec: driver.GraphExec(exec)}, uintptr(stream))
}

//export goOneNodeJudge
func goOneNodeJudge(device C.int, plain, graph *C.struct_tune_costs) (won C.bool) {
	defer rt.Guard(C.call_mgpuLaunchKernel)
	return C.bool(rt.JudgeOneNode(int(device), costs(plain), costs(graph)))
}

//export goOneNodeRetreat
func goOneNodeRetreat(device C.int, function C.uintptr_t, status C.int32_t) {
	defer rt.Guard(C.call_mgpuLaunchKernel)
	rt.RetreatOneNode(int(device), uintptr(function), int32(status))
}

func costs(c *C.struct_tune_costs) launchgraph.Costs {
	of := func(ns []C.uint64_t) (list []uint64) {
		for _, v := range ns {
			list = append(list, uint64(v))
		}
		return list
	}
	return launchgraph.Costs{Issue: of(c.issue_ns[:c.issues]), Wait: of(c.wait_ns[:c.waits])}
}
