package hsa

// A PM4 packet jumps to a buffer of commands: its second to fifth words are
// INDIRECT_BUFFER with the buffer's address and its length in words.
const (
	indirectAt   = 4
	indirectLow  = 8
	indirectHigh = 12
	indirectSize = 16

	indirectBuffer = 0x3f
)

// Commands that need nothing done where memory has no caches.
var idleCommands = map[uint32]bool{
	0x10: true, // NOP
	0x46: true, // EVENT_WRITE
	0x58: true, // ACQUIRE_MEM
}

// pm4 executes a buffer of the packet processor's own commands: the runtime flushes
// caches with them.
func (q *queue) pm4(at, index uint64) outcome {
	buffer := uint64(load32(at+indirectLow))&^3 | uint64(load32(at+indirectHigh))&0xffff<<32
	words := uint64(load32(at+indirectSize) & 0xfffff)
	if load32(at+indirectAt)>>8&0xff != indirectBuffer {
		return refused(badVendorPacket, "packet %d: a PM4 packet that jumps to no buffer", index)
	}
	if lo, hi, ok := q.view.Window(buffer, false); !ok || buffer < lo || hi-buffer < 4*words {
		return refused(badVendorPacket, "packet %d: PM4 buffer %#x is not memory of the GPU", index, buffer)
	}
	for n := uint64(0); n < words; {
		header := load32(buffer + 4*n)
		if header>>30 == 2 { // a type 2 header is one word of padding
			n++
			continue
		}
		if command := header >> 8 & 0xff; header>>30 != 3 || !idleCommands[command] {
			return refused(badVendorPacket, "packet %d: PM4 command %#x at word %d is not known here", index, header, n)
		}
		n += uint64(header>>16&0x3fff) + 2
	}
	return outcome{}
}
