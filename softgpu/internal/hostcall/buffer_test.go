package hostcall

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// wave does what the device libraries do, on the same memory.
type wave struct {
	t   testing.TB
	mem []byte
}

func (w wave) at(off uint64) uint64     { return binary.LittleEndian.Uint64(w.mem[off:]) }
func (w wave) put(off uint64, v uint64) { binary.LittleEndian.PutUint64(w.mem[off:], v) }

const base = 0x7000_0000_0000

// send pops a packet, fills it and pushes it. Words are by lane.
func (w wave) send(service uint32, words map[int][]uint64) (link uint64) {
	link = w.at(atFree)
	require.NotZero(w.t, link, "no packet is free")
	h := w.header(link)
	w.put(atFree, w.at(h+headerNext))
	active := uint64(0)
	for lane, v := range words {
		active |= 1 << lane
		for i, x := range v {
			w.put(w.slot(link, lane)+uint64(8*i), x)
		}
	}
	w.put(h+headerActive, active)
	binary.LittleEndian.PutUint32(w.mem[h+headerCall:], service)
	binary.LittleEndian.PutUint32(w.mem[h+headerState:], 1)
	w.put(h+headerNext, w.at(atReady))
	w.put(atReady, link)
	return link
}

// receive takes the answer and pushes the packet on the free stack.
func (w wave) receive(link uint64, lane int) uint64 {
	h := w.header(link)
	require.Zero(w.t, binary.LittleEndian.Uint32(w.mem[h+headerState:]), "answered")
	v := w.at(w.slot(link, lane))
	link += w.at(atMask) + 1
	w.put(h+headerNext, w.at(atFree))
	w.put(atFree, link)
	return v
}

func (w wave) header(link uint64) uint64 {
	return w.at(atHeaders) - base + (link&w.at(atMask))*headerSize
}
func (w wave) slot(link uint64, lane int) uint64 {
	return w.at(atPayloads) - base + (link&w.at(atMask))*payloadSize + uint64(lane)*64
}

func newTestBuffer(t testing.TB, packets int) (b *Buffer, w wave, out, err *bytes.Buffer, blocks map[uint64]uint64) {
	out, err, blocks = new(bytes.Buffer), new(bytes.Buffer), map[uint64]uint64{}
	next := uint64(slab)
	s := &Services{Stdout: out, Stderr: err,
		Alloc: func(n, align uint64) uint64 {
			if n > 1<<30 {
				return 0
			}
			next = (next + align - 1) &^ (align - 1)
			blocks[next] = n
			next += n
			return next - n
		},
		Free: func(a uint64) bool {
			_, ok := blocks[a]
			delete(blocks, a)
			return ok
		},
	}
	mem := make([]byte, Size(packets))
	return NewBuffer(mem, base, packets, s), wave{t, mem}, out, err, blocks
}

func TestPacketsComeBackAndAreUsedAgain(t *testing.T) {
	b, w, out, _, _ := newTestBuffer(t, 3)
	assert.Equal(t, uint64(base), b.Addr())
	assert.Equal(t, uint64(3), w.at(atMask), "rounded up to a power of two")
	require.NoError(t, b.Serve(), "nothing is ready")
	for i := range 20 {
		link := w.send(callPrintf, map[int][]uint64{5: {messageBegin | 1<<lengthShift, 0}})
		require.NoError(t, b.Serve())
		desc := w.receive(link, 5)
		assert.Zero(t, desc&messageBegin)
		link = w.send(callPrintf, map[int][]uint64{5: {desc | messageEnd&^(lengthMask<<lengthShift) | 1<<lengthShift, pack("n%d")[0]}})
		require.NoError(t, b.Serve())
		assert.Equal(t, uint64(1), w.receive(link, 5))
		assert.Equal(t, "n", out.String(), "round %d: no argument, so that is where it ends", i)
		out.Reset()
	}
	assert.LessOrEqual(t, len(b.messages.open), 1, "numbers are used again")
}

func TestPacketsAreAnsweredInTheOrderOfTheirArrival(t *testing.T) {
	b, w, out, stderr, _ := newTestBuffer(t, 8)
	for i := range 6 {
		control := uint64(i & 1)
		w.send(callPrintf, map[int][]uint64{0: {messageBegin | messageEnd | 3<<lengthShift, control, pack("<%d>")[0], uint64(i)}})
	}
	require.NoError(t, b.Serve())
	assert.Equal(t, "<0><2><4>", out.String())
	assert.Equal(t, "<1><3><5>", stderr.String())
}

func TestMemoryIsGivenAndTakenBack(t *testing.T) {
	b, w, _, _, blocks := newTestBuffer(t, 4)
	link := w.send(callMemory, map[int][]uint64{0: {0, 100}, 1: {0, slab}, 63: {0, 1 << 40}})
	require.NoError(t, b.Serve())
	small, large, none := w.at(w.slot(link, 0)), w.at(w.slot(link, 1)), w.receive(link, 63)
	assert.Zero(t, small%page)
	assert.Zero(t, large%slab, "a slab's blocks find it by their addresses")
	assert.Zero(t, none, "malloc gives null")
	require.Len(t, blocks, 2)
	w.send(callMemory, map[int][]uint64{0: {small, 0}})
	require.NoError(t, b.Serve())
	require.Len(t, blocks, 1)
	w.send(callMemory, map[int][]uint64{0: {small, 0}})
	require.ErrorContains(t, b.Serve(), "malloc gave no such block")
}

func TestWhatCannotBeServedIsAnError(t *testing.T) {
	for want, c := range map[string]struct {
		service uint32
		words   []uint64
	}{
		"no service 77":                         {77, nil},
		"no service 0":                          {0, nil},
		"host's function at 0x1234":             {callFunction, []uint64{0x1234}},
		"address sanitizer":                     {callSanitizer, nil},
		"without an address or a size":          {callMemory, []uint64{0, 0}},
		"message 9, which has not begun":        {callPrintf, []uint64{9 << numberShift}},
		"message 0, which has not begun":        {callPrintf, []uint64{messageEnd}},
		"message 72057594037927935, which has ": {callPrintf, []uint64{^uint64(messageBegin)}},
	} {
		b, w, out, stderr, _ := newTestBuffer(t, 4)
		w.send(c.service, map[int][]uint64{3: append(c.words, make([]uint64, 8-len(c.words))...)})
		require.ErrorContains(t, b.Serve(), want)
		assert.Empty(t, out.String()+stderr.String())
		b.Reset()
		w.send(callPrintf, map[int][]uint64{0: {messageBegin | messageEnd | 2<<lengthShift, 0, pack("again")[0]}})
		require.NoError(t, b.Serve(), "as new")
		assert.Equal(t, "again", out.String())
	}
}

func TestADamagedBufferIsAnError(t *testing.T) {
	b, w, _, _, _ := newTestBuffer(t, 4)
	link := w.send(callPrintf, map[int][]uint64{0: {messageBegin}})
	w.put(w.header(link)+headerNext, link)
	require.ErrorContains(t, b.Serve(), "round in a circle")
	b.Reset()
	w.put(atReady, ^uint64(0)) // some packet: its mask is empty, so nothing is asked
	require.NoError(t, b.Serve())
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("closed") }

func TestPrintfSaysWhatItCouldNotWrite(t *testing.T) {
	s := &Services{Stdout: failing{}, Stderr: failing{}}
	assert.Equal(t, -1, s.printMessage(append([]uint64{0}, pack("text")...)))
	assert.Equal(t, -1, s.printMessage(append([]uint64{1}, pack("text")...)))
	assert.Equal(t, -1, s.printMessage(append([]uint64{2}, pack("text")...)), "an unknown control word")
	assert.Equal(t, -1, s.printMessage(nil))
	assert.Equal(t, 0, s.printMessage(append([]uint64{0}, pack("")...)))
}

func TestFormatsThatAreWrong(t *testing.T) {
	for want, words := range map[string][]uint64{
		"a ":          append(pack("a %d b"), nil...),
		"7 ":          append(pack("%d %d b"), 7),
		"100%x":       append(pack("100%%x"), 7),
		"[":           append(pack("[%"), 7),
		"[ ":          append(pack("[ %y"), 7),
		"<%Yd>8":      append(pack("<%Yd>%d"), 7, 8),
		"<>8":         append(pack("<%n>%d"), 7, 8),
		"<":           append(pack("<%*d"), 7),
		"<  1>":       append(pack("<%*.*d>"), 3, ^uint64(0), 1),
		"no end here": pack("no end here!")[:1:1],
	} {
		if want == "no end here" {
			assert.Equal(t, "no end h", string(printf(words)))
			continue
		}
		assert.Equal(t, want, string(printf(words)))
	}
	assert.Empty(t, printf(nil))
	assert.LessOrEqual(t, len(printf(append(pack("%*.*f"), 1<<31-1, 1<<31-1, 1))), 3*widest, "bounded")
}

func FuzzPrintf(f *testing.F) {
	f.Add([]byte("%d %s %*.*f%%"), uint64(1))
	f.Add([]byte("%-+ #0123.456llx"), uint64(1))
	f.Fuzz(func(t *testing.T, format []byte, seed uint64) {
		words := pack(string(format))
		for i := range 4 {
			words = append(words, seed>>(16*i))
		}
		printf(words)
	})
}

func FuzzServe(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, junk []byte) {
		b, w, _, _, _ := newTestBuffer(t, 2)
		w.send(callPrintf, map[int][]uint64{0: {messageBegin}})
		copy(w.mem[atReady:], junk[:min(len(junk), 8)])
		copy(w.mem[headerStart:], junk[min(len(junk), 8):])
		_ = b.Serve()
	})
}
