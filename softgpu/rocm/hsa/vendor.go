package hsa

// Formats of AMD's own packets, in the third byte of their headers.
const (
	pm4Format          = 1
	barrierValueFormat = 2
)

// vendor executes one of AMD's packets.
func (q *queue) vendor(at, index uint64) outcome {
	switch format := load32(at) >> 16 & 0xff; format {
	case pm4Format:
		return q.pm4(at, index)
	case barrierValueFormat:
		return q.barrierValue(at, index)
	default:
		return refused(badVendorPacket, "packet %d: no vendor packet has the format %d", index, format)
	}
}

// Offsets in hsa_amd_barrier_value_packet_t.
const (
	valueSignalAt    = 8
	valueAt          = 16
	valueMaskAt      = 24
	valueConditionAt = 32
)

// conditions are those of hsa_signal_condition_t, by number.
var conditions = []func(v, want int64) bool{
	func(v, want int64) bool { return v == want },
	func(v, want int64) bool { return v != want },
	func(v, want int64) bool { return v < want },
	func(v, want int64) bool { return v >= want },
}

// barrierValue waits until a signal's masked value compares as the packet asks. Without
// a signal it waits for nothing.
func (q *queue) barrierValue(at, index uint64) outcome {
	signal := load64(at + valueSignalAt)
	want, mask := int64(load64(at+valueAt)), int64(load64(at+valueMaskAt))
	condition := load32(at + valueConditionAt)
	switch {
	case signal == 0:
		return outcome{}
	case !q.reachable(signal, signalSize):
		return refused(badVendorPacket, "packet %d: signal %#x of a barrier is not memory of the GPU", index, signal)
	case int(condition) >= len(conditions):
		return refused(badVendorPacket, "packet %d: no condition of a barrier has the number %d", index, condition)
	}
	holds := conditions[condition]
	return q.until(func() bool { return holds(int64(load64(signal+signalValue))&mask, want) })
}
