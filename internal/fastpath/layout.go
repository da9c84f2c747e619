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
	// And C's struct replay and struct replayed are launchgraph's.
	traceSame = -((launchgraph.ReplayNextOffset ^ unsafe.Offsetof(C.struct_replay{}.next)) |
		(launchgraph.ReplayCountOffset ^ unsafe.Offsetof(C.struct_replay{}.count)) |
		(launchgraph.ReplayCallsOffset ^ unsafe.Offsetof(C.struct_replay{}.calls)) |
		(launchgraph.ReplayValuesOffset ^ unsafe.Offsetof(C.struct_replay{}.values)) |
		(launchgraph.ReplayBorderOffset ^ unsafe.Offsetof(C.struct_replay{}.border)) |
		(launchgraph.ReplayOnOffset ^ unsafe.Offsetof(C.struct_replay{}.on)) |
		(launchgraph.ReplayUnawaitedOffset ^ unsafe.Offsetof(C.struct_replay{}.unawaited)))
	tracedSame = -((launchgraph.ReplayedBytes ^ C.sizeof_struct_replayed) |
		(launchgraph.ReplayedKindOffset ^ unsafe.Offsetof(C.struct_replayed{}.kind)) |
		(launchgraph.ReplayedNodesOffset ^ unsafe.Offsetof(C.struct_replayed{}.nodes)) |
		(launchgraph.ReplayedFirstOffset ^ unsafe.Offsetof(C.struct_replayed{}.first)) |
		(launchgraph.ReplayedSharedOffset ^ unsafe.Offsetof(C.struct_replayed{}.shared)) |
		(launchgraph.ReplayedGridOffset ^ unsafe.Offsetof(C.struct_replayed{}.grid)) |
		(launchgraph.ReplayedBlockOffset ^ unsafe.Offsetof(C.struct_replayed{}.block)) |
		(launchgraph.ReplayedStreamOffset ^ unsafe.Offsetof(C.struct_replayed{}.stream)) |
		(launchgraph.ReplayedWhatOffset ^ unsafe.Offsetof(C.struct_replayed{}.what)) |
		(launchgraph.ReplayedSizesOffset ^ unsafe.Offsetof(C.struct_replayed{}.sizes)) |
		(launchgraph.ReplayedParamsOffset ^ unsafe.Offsetof(C.struct_replayed{}.params)) |
		(launchgraph.ReplayedAtOffset ^ unsafe.Offsetof(C.struct_replayed{}.values)) |
		(launchgraph.ReplayedLaunch ^ C.replayed_launch) | (launchgraph.ReplayedSynchronize ^ C.replayed_synchronize) |
		(launchgraph.ReplayedCreate ^ C.replayed_create))
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
		(uintptr(alloccache.Listed) ^ C.block_listed) | (alloccache.SmallestBits ^ C.block_smallest_bits) |
		(alloccache.StepBits ^ C.block_step_bits))
)
