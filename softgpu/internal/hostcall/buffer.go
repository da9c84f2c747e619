package hostcall

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"
	"sync/atomic"
)

// The layout of a buffer, as in the device libraries: two pointers, the doorbell's address, two stacks, and the mask
// that extracts an index from a link. A link is an index with a tag above it, which changes with each use, so that an
// old top of a stack is not mistaken for the current one.
const (
	atHeaders  = 0
	atPayloads = 8
	atDoorbell = 16
	atFree     = 24
	atReady    = 32
	atMask     = 40

	signalStart = 64 // the doorbell: an HSA signal without a mailbox, all zero
	headerStart = 128

	headerSize   = 24
	headerNext   = 0
	headerActive = 8
	headerCall   = 16
	headerState  = 20 // bit 0: waits for an answer

	lanes       = 64
	laneWords   = 8
	payloadSize = lanes * laneWords * 8
)

// Buffer is the memory through which one stream's kernels send packets.
type Buffer struct {
	services *Services
	addr     uint64
	mem      []byte
	packets  uint64 // number of packets, a power of two
	payloads uint64 // offset of the first payload

	mu       sync.Mutex
	order    []uint64 // packets of one turn, in the order of arrival
	messages messages
}

// Size returns the length in bytes of a buffer with packets packets.
func Size(packets int) uint64 {
	n := round(packets)
	return payloadStart(n) + n*payloadSize
}

func round(packets int) uint64 { return 1 << bits.Len64(uint64(max(packets, 2))-1) }

func payloadStart(packets uint64) uint64 { return (headerStart + packets*headerSize + 63) &^ 63 }

// NewBuffer makes mem a buffer. addr is mem's address; its length is the Size of packets. There must be as many packets
// as resident waves: a wave that finds none would use one that is in use.
func NewBuffer(mem []byte, addr uint64, packets int, s *Services) *Buffer {
	b := &Buffer{services: s, addr: addr, mem: mem, packets: round(packets)}
	b.payloads = payloadStart(b.packets)
	b.Reset()
	return b
}

// Addr returns the address of the buffer, for a kernel.
func (b *Buffer) Addr() uint64 { return b.addr }

// Reset makes the buffer like new, after a kernel that ended in the middle of a call. No kernel may be using it.
func (b *Buffer) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.messages.clear()
	clear(b.mem[:headerStart])
	b.put(atHeaders, b.addr+headerStart)
	b.put(atPayloads, b.addr+b.payloads)
	b.put(atDoorbell, b.addr+signalStart)
	b.put(atMask, b.packets-1)
	// No link may be zero: the tag distinguishes the packet with index zero.
	next := uint64(0)
	for i := range b.packets {
		h := b.mem[headerStart+i*headerSize:][:headerSize]
		clear(h)
		binary.LittleEndian.PutUint64(h[headerNext:], next)
		if next = i; i == 0 {
			next = b.packets
		}
	}
	b.put(atFree, next)
}

func (b *Buffer) put(off int, v uint64) { binary.LittleEndian.PutUint64(b.mem[off:], v) }

// Serve answers the packets that are ready, in the order of their arrival. An error describes an invalid request, and
// the kernel has to end.
func (b *Buffer) Serve() error {
	ready := wordAt(b.mem, atReady)
	if atomic.LoadUint64(ready) == 0 || !b.mu.TryLock() {
		return nil
	}
	defer b.mu.Unlock()
	b.order = b.order[:0]
	for link := atomic.SwapUint64(ready, 0); link != 0; {
		if uint64(len(b.order)) == b.packets {
			return fmt.Errorf("hostcall: the buffer's stack of packets goes round in a circle")
		}
		at := link & (b.packets - 1)
		b.order = append(b.order, at)
		link = binary.LittleEndian.Uint64(b.header(at)[headerNext:])
	}
	for i := len(b.order) - 1; i >= 0; i-- {
		if err := b.answer(b.order[i]); err != nil {
			return err
		}
	}
	return nil
}

func (b *Buffer) header(at uint64) []byte { return b.mem[headerStart+at*headerSize:][:headerSize] }

// answer answers one packet, lane by lane, and lets its wave continue.
func (b *Buffer) answer(at uint64) error {
	h := b.header(at)
	active := binary.LittleEndian.Uint64(h[headerActive:])
	call := binary.LittleEndian.Uint32(h[headerCall:])
	for ; active != 0; active &= active - 1 {
		lane := uint64(bits.TrailingZeros64(active))
		slot := b.mem[b.payloads+at*payloadSize+lane*laneWords*8:][:laneWords*8]
		var w [laneWords]uint64
		for i := range w {
			w[i] = binary.LittleEndian.Uint64(slot[8*i:])
		}
		if err := b.serve(call, &w); err != nil {
			return err
		}
		binary.LittleEndian.PutUint64(slot, w[0])
		binary.LittleEndian.PutUint64(slot[8:], w[1])
	}
	atomic.StoreUint32(stateAt(b.mem, headerStart+at*headerSize+headerState), 0)
	return nil
}
