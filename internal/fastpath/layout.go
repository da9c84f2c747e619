package fastpath

// #include "alloc.h"
// #include "download.h"
// #include "launch.h"
// #include "call.h"
// #include "replay.h"
import "C"

import (
	"unsafe"

	"github.com/mgpu-runtime/mgpu/alloccache"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/streampool"
)

// C's struct launch is read in place as an mgpu.Launch, C's struct wait as an
// mgpu.Wait. A difference between the two makes one of these indices negative,
// which does not compile.
const (
	launchSame = -((unsafe.Sizeof(mgpu.Launch{}) ^ C.sizeof_struct_launch) |
		(unsafe.Offsetof(mgpu.Launch{}.Cluster) ^ unsafe.Offsetof(C.struct_launch{}.cluster)) |
		(unsafe.Offsetof(mgpu.Launch{}.Grid) ^ unsafe.Offsetof(C.struct_launch{}.grid)) |
		(unsafe.Offsetof(mgpu.Launch{}.Block) ^ unsafe.Offsetof(C.struct_launch{}.block)) |
		(unsafe.Offsetof(mgpu.Launch{}.Shared) ^ unsafe.Offsetof(C.struct_launch{}.shared)) |
		(unsafe.Offsetof(mgpu.Launch{}.Stream) ^ unsafe.Offsetof(C.struct_launch{}.stream)) |
		(unsafe.Offsetof(mgpu.Launch{}.Params) ^ unsafe.Offsetof(C.struct_launch{}.params)) |
		(unsafe.Offsetof(mgpu.Launch{}.Extra) ^ unsafe.Offsetof(C.struct_launch{}.extra)))
	waitSame = -((unsafe.Sizeof(mgpu.Wait{}) ^ C.sizeof_struct_wait) |
		(unsafe.Offsetof(mgpu.Wait{}.Handle) ^ unsafe.Offsetof(C.struct_wait{}.handle)) |
		(unsafe.Offsetof(mgpu.Wait{}.Count) ^ unsafe.Offsetof(C.struct_wait{}.count)) |
		(unsafe.Offsetof(mgpu.Wait{}.Start) ^ unsafe.Offsetof(C.struct_wait{}.start)) |
		(unsafe.Offsetof(mgpu.Wait{}.Record) ^ unsafe.Offsetof(C.struct_wait{}.record)) |
		(unsafe.Offsetof(mgpu.Wait{}.Submission) ^ unsafe.Offsetof(C.struct_wait{}.submission)))
	// C's struct staged is what an mgpu.staged begins with.
	stagedSame = -((mgpu.StagedCopyOffset ^ unsafe.Offsetof(C.struct_staged{}.copy)) |
		(mgpu.StagedWaitOffset ^ unsafe.Offsetof(C.struct_staged{}.wait)) |
		(mgpu.StagedDstOffset ^ unsafe.Offsetof(C.struct_staged{}.dst)) |
		(mgpu.StagedPinnedOffset ^ unsafe.Offsetof(C.struct_staged{}.pinned)) |
		(mgpu.StagedBytesOffset ^ unsafe.Offsetof(C.struct_staged{}.bytes)) |
		(mgpu.StagedBehindOffset ^ unsafe.Offsetof(C.struct_staged{}.behind)))
	// And C's struct entry is where a streampool.Entry keeps the same.
	entrySame = -((streampool.WordOffset ^ unsafe.Offsetof(C.struct_entry{}.word)) |
		(streampool.SyncedOffset ^ unsafe.Offsetof(C.struct_entry{}.synced)) |
		(streampool.HandleOffset ^ unsafe.Offsetof(C.struct_entry{}.handle)) |
		(streampool.DeviceOffset ^ unsafe.Offsetof(C.struct_entry{}.device)) |
		(streampool.ReportedOffset ^ unsafe.Offsetof(C.struct_entry{}.reported)) |
		(streampool.StateMask ^ C.state_mask) | (streampool.TurnBit ^ C.turn_bit) | (streampool.OneMore ^ C.one_more) |
		(streampool.CallShift ^ C.call_shift) | (streampool.CallBits ^ C.call_bits) |
		(uintptr(streampool.Live) ^ C.live) | (uintptr(streampool.Idle) ^ C.idle))
	// And C's struct trace and struct traced are launchgraph's.
	traceSame = -((launchgraph.TraceNextOffset ^ unsafe.Offsetof(C.struct_trace{}.next)) |
		(launchgraph.TraceCountOffset ^ unsafe.Offsetof(C.struct_trace{}.count)) |
		(launchgraph.TraceCallsOffset ^ unsafe.Offsetof(C.struct_trace{}.calls)) |
		(launchgraph.TraceValuesOffset ^ unsafe.Offsetof(C.struct_trace{}.values)) |
		(launchgraph.TraceBorderOffset ^ unsafe.Offsetof(C.struct_trace{}.border)) |
		(launchgraph.TraceOnOffset ^ unsafe.Offsetof(C.struct_trace{}.on)) |
		(launchgraph.TraceUnawaitedOffset ^ unsafe.Offsetof(C.struct_trace{}.unawaited)))
	tracedSame = -((launchgraph.TracedBytes ^ C.sizeof_struct_traced) |
		(launchgraph.TracedKindOffset ^ unsafe.Offsetof(C.struct_traced{}.kind)) |
		(launchgraph.TracedNodesOffset ^ unsafe.Offsetof(C.struct_traced{}.nodes)) |
		(launchgraph.TracedFirstOffset ^ unsafe.Offsetof(C.struct_traced{}.first)) |
		(launchgraph.TracedSharedOffset ^ unsafe.Offsetof(C.struct_traced{}.shared)) |
		(launchgraph.TracedGridOffset ^ unsafe.Offsetof(C.struct_traced{}.grid)) |
		(launchgraph.TracedBlockOffset ^ unsafe.Offsetof(C.struct_traced{}.block)) |
		(launchgraph.TracedStreamOffset ^ unsafe.Offsetof(C.struct_traced{}.stream)) |
		(launchgraph.TracedWhatOffset ^ unsafe.Offsetof(C.struct_traced{}.what)) |
		(launchgraph.TracedSizesOffset ^ unsafe.Offsetof(C.struct_traced{}.sizes)) |
		(launchgraph.TracedParamsOffset ^ unsafe.Offsetof(C.struct_traced{}.params)) |
		(launchgraph.TracedAtOffset ^ unsafe.Offsetof(C.struct_traced{}.values)) |
		(launchgraph.TracedLaunch ^ C.traced_launch) | (launchgraph.TracedSynchronize ^ C.traced_synchronize) |
		(launchgraph.TracedCreate ^ C.traced_create))
	// And C's struct block is an alloccache.Block's beginning.
	blockSame = -((alloccache.WordOffset ^ unsafe.Offsetof(C.struct_block{}.word)) |
		(alloccache.PtrOffset ^ unsafe.Offsetof(C.struct_block{}.ptr)) |
		(alloccache.ClassOffset ^ unsafe.Offsetof(C.struct_block{}.class)) |
		(alloccache.RowOffset ^ unsafe.Offsetof(C.struct_block{}.row)) |
		(alloccache.AskedOffset ^ unsafe.Offsetof(C.struct_block{}.asked)) |
		(alloccache.SiteOffset ^ unsafe.Offsetof(C.struct_block{}.site)) |
		(alloccache.StampOffset ^ unsafe.Offsetof(C.struct_block{}.stamp)) |
		(alloccache.BytesOffset ^ unsafe.Offsetof(C.struct_block{}.bytes)) |
		(alloccache.ToldOffset ^ unsafe.Offsetof(C.struct_block{}.told)) |
		(alloccache.StateMask ^ C.block_state_mask) | (alloccache.QuickBit ^ C.block_quick) |
		(alloccache.OneMore ^ C.block_one_more) | (uintptr(alloccache.Live) ^ C.block_live) |
		(uintptr(alloccache.Hand) ^ C.block_hand) | (alloccache.SmallestBits ^ C.block_smallest_bits) |
		(alloccache.StepBits ^ C.block_step_bits))
)
