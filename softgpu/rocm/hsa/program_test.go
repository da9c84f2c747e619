package hsa

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Kernels for gfx906, as llvm-mc assembles them. The kernarg segment's address is in
// s[0:1], the workgroup's number in s2, the work-item's in v0.
var (
	// counting adds 1 to *kernarg[0] with every work-item.
	counting = []uint32{
		0xc0060100, 0, // s_load_dwordx2 s[4:5], s[0:1], 0x0
		0x7e020281,             // v_mov_b32 v1, 1
		0x7e040280,             // v_mov_b32 v2, 0
		0xbf8cc07f,             // s_waitcnt lgkmcnt(0)
		0xdd088000, 0x00040102, // global_atomic_add v2, v1, s[4:5]
		0xbf810000, // s_endpgm
	}
	// spin waits until *kernarg[0] is not zero.
	spin = []uint32{
		0xc0060100, 0, // s_load_dwordx2 s[4:5], s[0:1], 0x0
		0x7e040280,             // v_mov_b32 v2, 0
		0xbf8cc07f,             // s_waitcnt lgkmcnt(0)
		0xdc518000, 0x01040002, // global_load_dword v1, v2, s[4:5] glc
		0xbf8c0f70, // s_waitcnt vmcnt(0)
		0x7d9a0280, // v_cmp_ne_u32 vcc, 0, v1
		0xbf8e0001, // s_sleep 1
		0xbf86fff9, // s_cbranch_vccz back
		0xbf810000, // s_endpgm
	}
	// move copies a word per work-item from kernarg[0] to kernarg[1].
	move = []uint32{
		0xc00a0100, 0, // s_load_dwordx4 s[4:7], s[0:1], 0x0
		0x24040082,             // v_lshlrev_b32 v2, 2, v0
		0xbf8cc07f,             // s_waitcnt lgkmcnt(0)
		0xdc508000, 0x01040002, // global_load_dword v1, v2, s[4:5]
		0xbf8c0f70,             // s_waitcnt vmcnt(0)
		0xdc708000, 0x00060102, // global_store_dword v2, v1, s[6:7]
		0xbf810000, // s_endpgm
	}
	// mark adds 1 to word kernarg[1]/4*workgroup + work-item of kernarg[0].
	mark = []uint32{
		0xc0060100, 0, // s_load_dwordx2 s[4:5], s[0:1], 0x0
		0xc0020180, 8, // s_load_dword s6, s[0:1], 0x8
		0x24040082,             // v_lshlrev_b32 v2, 2, v0
		0xbf8cc07f,             // s_waitcnt lgkmcnt(0)
		0x92060206,             // s_mul_i32 s6, s6, s2
		0x68040406,             // v_add_u32 v2, s6, v2
		0x7e020281,             // v_mov_b32 v1, 1
		0xdd088000, 0x00040102, // global_atomic_add v2, v1, s[4:5]
		0xbf810000, // s_endpgm
	}
	// interrupt stores 1 to *kernarg[0], a mailbox, and sends an interrupt.
	interrupt = []uint32{
		0xc0060100, 0, // s_load_dwordx2 s[4:5], s[0:1], 0x0
		0x7e020281,             // v_mov_b32 v1, 1
		0x7e040280,             // v_mov_b32 v2, 0
		0xbf8cc07f,             // s_waitcnt lgkmcnt(0)
		0xdc708000, 0x00040102, // global_store_dword v2, v1, s[4:5]
		0xbf900001, // s_sendmsg sendmsg(MSG_INTERRUPT)
		0xbf810000, // s_endpgm
	}
	trapKernel    = []uint32{0xbf920002, 0xbf810000} // s_trap 2; s_endpgm
	illegalKernel = []uint32{0xffffffff, 0xbf810000}
)

const patience = 60 * time.Second

// host is what a runtime and a driver do with the GPUs.
type host struct {
	testing.TB
	*System
	lines  *lines
	file   *os.File // the GPUs' memory
	next   uint64
	blocks map[uint64]*Block // by address
	bell   uint64            // where the next queue's doorbell is
}

// lines are what is reported.
type lines struct{ written chan string }

func (l *lines) Write(b []byte) (int, error) { l.written <- string(b); return len(b), nil }

func newHost(t testing.TB, o Options) *host {
	l := &lines{make(chan string, 100)}
	o.Failed = func(line string, more []string) { l.written <- strings.Join(append([]string{line}, more...), "\n") }
	o.Findings = l
	if o.Memory == 0 {
		o.Memory = 64 << 20
	}
	sys, err := Open(o)
	require.NoError(t, err)
	h := &host{TB: t, System: sys, lines: l, blocks: map[uint64]*Block{}, bell: anyPages(t, page)}
	file, err := os.Create(filepath.Join(t.TempDir(), "memory"))
	require.NoError(t, err)
	require.NoError(t, file.Truncate(1<<30))
	t.Cleanup(func() { _ = file.Close() })
	h.file = file
	h.AddDoorbells(h.bell, page)
	return h
}

// anyPages are zeroed pages of the host's.
func anyPages(t testing.TB, size uint64) uint64 {
	at, err := mapPages(size, page, 0, readWrite)
	require.NoError(t, err)
	return at
}

// everyNode is the set of all nodes.
const everyNode = ^uint64(0)

// alloc allocates memory of a node that all GPUs see.
func (h *host) alloc(node uint32, size uint64) uint64 {
	h.Helper()
	size = (size + page - 1) &^ (page - 1)
	at := anyPages(h.TB, size)
	b, err := h.Place(Placement{At: at, Size: size, Node: node, File: int(h.file.Fd()), Offset: h.next})
	require.NoError(h, err)
	h.next += size
	h.Show(b, everyNode)
	h.blocks[at] = b
	return at
}

// register shows a GPU pages of the host's at an address of its own.
func (h *host) register(pages, size uint64) (device uint64) {
	h.Helper()
	device = anyPages(h.TB, size)
	b, err := h.Place(Placement{At: device, Size: size, File: -1, Host: pages})
	require.NoError(h, err)
	h.Show(b, everyNode)
	h.blocks[device] = b
	return device
}

// free frees what alloc or register has made, and unmaps it.
func (h *host) free(at uint64) {
	h.Helper()
	b := h.blocks[at]
	require.NotNil(h, b)
	delete(h.blocks, at)
	h.Withdraw(b)
	require.NoError(h, h.HostUnmap(at, at+b.size(), false))
}

// object writes a kernel with its descriptor, and returns the descriptor's address.
func (h *host) object(code []uint32) uint64 {
	return h.objectAt(h.alloc(hostNode, (256+4*uint64(len(code))+page-1)&^(page-1)), code)
}

// objectAt writes them where memory is.
func (h *host) objectAt(at uint64, code []uint32) uint64 {
	b := bytesAt(at, 256+4*uint64(len(code)))
	le := binary.LittleEndian
	le.PutUint64(b[16:], 256)        // entry point
	le.PutUint32(b[48:], 3|0x2c<<12) // 16 VGPRs; all denormals
	le.PutUint32(b[48:], le.Uint32(b[48:])|1<<6|1<<23)
	le.PutUint32(b[52:], 2<<1|1<<7) // two user SGPRs and the workgroup's number
	le.PutUint16(b[56:], 1<<3)      // which are the kernarg segment's address
	for i, w := range code {
		le.PutUint32(b[256+4*i:], w)
	}
	return at
}

// kernargs writes a kernarg segment.
func (h *host) kernargs(words ...uint64) uint64 {
	at := h.alloc(hostNode, page)
	for i, w := range words {
		store64(at+uint64(8*i), w)
	}
	return at
}

// signal makes a signal, with an event if the host waits for it.
func (h *host) signal(value int64) uint64 {
	at := h.alloc(hostNode, signalSize)
	store64(at+signalValue, uint64(value))
	return at
}

// value waits until a signal has a value.
func (h *host) value(signal uint64, want int64) {
	h.Helper()
	require.Eventually(h, func() bool { return int64(load64(signal+signalValue)) == want }, patience, time.Millisecond)
}

// ring is a queue as the host sees it.
type ring struct {
	*host
	id, packets, mask, amd uint64
	inactive               uint64
	doorbell               uint64
}

func (h *host) queueOn(node uint32, packets uint64) *ring {
	h.Helper()
	r := &ring{host: h, mask: packets - 1, packets: h.alloc(hostNode, packets*packetSize), amd: h.alloc(hostNode, page)}
	for i := range packets {
		store32(r.packets+i*packetSize, invalidPacket)
	}
	r.inactive = h.signal(0)
	store64(r.amd+queueInactive, r.inactive)
	id, err := h.NewQueue(QueueOptions{Node: node, Ring: r.packets, Size: packets * packetSize, Read: r.amd + queueRead, Write: r.amd + 56, Percent: 100})
	require.NoError(h, err)
	r.id, r.doorbell = id, h.bell
	h.bell += 8
	h.Cleanup(func() { _ = h.DestroyQueue(r.id) })
	return r
}

// reserve waits for room for one packet.
func (r *ring) reserve() (at uint64) {
	r.Helper()
	index := add64(r.amd+56, 1) - 1
	require.Eventually(r, func() bool { return index-load64(r.amd+queueRead) <= r.mask }, patience, time.Millisecond)
	at = r.packets + index&r.mask*packetSize
	clear(bytesAt(at+4, packetSize-4))
	return at
}

// release lets the queue have a packet.
func (r *ring) release(at uint64, header uint32) {
	ringing.Lock()
	defer ringing.Unlock()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // stops all goroutines
	r.announce(at, header)
}

// announce does so where no garbage is collected.
func (r *ring) announce(at uint64, header uint32) {
	store32(at, header)
	store64(r.doorbell, load64(r.amd+56)-1)
}

// ringing is held by the test that stores to a doorbell, while no garbage is collected. A store to a protected doorbell
// stops a thread that Go can't interrupt. A collection would wait for the thread, and keep the goroutine that lifts the
// protection from running. Hosts store from threads of their own.
var ringing sync.Mutex

// launch enqueues a kernel with one axis.
func (r *ring) launch(object, kernarg uint64, items, group uint32, signal uint64) {
	r.Helper()
	r.launch3(object, kernarg, [3]uint32{items, 1, 1}, [3]uint16{uint16(group), 1, 1}, signal)
}

func (r *ring) launch3(object, kernarg uint64, items [3]uint32, group [3]uint16, signal uint64) {
	r.Helper()
	r.release(r.prepare3(object, kernarg, items, group, signal), threeAxes)
}

// threeAxes begins the packets of launch3.
const threeAxes = dispatchPacket | 3<<16

// prepare3 makes a packet without its header.
func (r *ring) prepare3(object, kernarg uint64, items [3]uint32, group [3]uint16, signal uint64) (at uint64) {
	r.Helper()
	at = r.reserve()
	b := bytesAt(at, packetSize)
	for axis := range 3 {
		binary.LittleEndian.PutUint16(b[blockAt+2*axis:], group[axis])
		binary.LittleEndian.PutUint32(b[gridAt+4*axis:], items[axis])
	}
	store64(at+objectAt, object)
	store64(at+kernargAt, kernarg)
	store64(at+completionAt, signal)
	return at
}

// barrier enqueues a barrier packet.
func (r *ring) barrier(kind uint32, completion uint64, signals ...uint64) {
	r.Helper()
	at := r.reserve()
	for i, s := range signals {
		store64(at+dependsAt+uint64(8*i), s)
	}
	store64(at+completionAt, completion)
	r.release(at, kind)
}
