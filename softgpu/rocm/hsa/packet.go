package hsa

// Types of AQL packets, in the low byte of their headers.
const (
	vendorPacket     = 0
	invalidPacket    = 1
	dispatchPacket   = 2
	barrierAndPacket = 3
	barrierOrPacket  = 5
)

func packetType(header uint32) uint32 { return header & 0xff }

// completionAt is the offset of the completion signal in every packet.
const completionAt = 56

// outcome is the result of a packet.
type outcome struct {
	code  uint64 // for the queue's inactive signal; zero: none
	fault uint64 // address of a memory fault
	err   error  // for the user
	again bool   // the queue is being destroyed
}

// Codes of the queue's inactive signal, as the packet processor and the trap handler
// report errors.
const (
	badDimensions      = 1 << 1
	badGroupMemory     = 1 << 2
	badCode            = 1 << 3
	badPacket          = 1 << 5
	groupTooLarge      = 1 << 6
	tooFewRegisters    = 1 << 7
	badVendorPacket    = 1 << 8
	memoryViolation    = 1 << 29
	illegalInstruction = 1 << 30
	trapped            = 1 << 31
)

// execute runs the packet at the read index and completes it.
func (q *queue) execute() {
	m := q.gpu.machine
	m.Pause()
	sys, start := q.gpu.system, Now()
	index := load64(q.read)
	at := q.packet(index)
	var o outcome
	completion := load64(at + completionAt)
	switch kind := packetType(load32(at)); {
	case completion != 0 && !q.reachable(completion, signalSize):
		o = refused(badPacket, "packet %d: completion signal %#x is not memory of the GPU", index, completion)
	case kind == dispatchPacket:
		o = q.dispatch(at, index)
	case kind == barrierAndPacket || kind == barrierOrPacket:
		o = q.barrier(at, index, kind == barrierOrPacket)
	case kind == vendorPacket:
		o = q.vendor(at, index)
	default:
		o = refused(badPacket, "packet %d: no packet has the type %d", index, kind)
	}
	switch {
	case o.again:
	case o.err != nil:
		q.fail(o)
	default:
		store32(at, load32(at)&^0xff|invalidPacket)
		store64(q.read, index+1)
		m.Pause()
		sys.decrement(completion, start, m.Pause)
	}
}

// reachable reports whether the GPU may write size bytes of memory that the host, too,
// has at that address.
func (q *queue) reachable(addr, size uint64) bool {
	lo, hi, ok := q.view.Window(addr, true)
	return ok && addr >= lo && addr < hi && hi-addr >= size && addr%8 == 0
}
