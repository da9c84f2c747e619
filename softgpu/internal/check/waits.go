package check

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// outstanding is a memory instruction that its wave has issued and not waited for.
type outstanding struct {
	pc      uint32
	queue   wave.Queue
	flat    bool // the addresses of its lanes decide the queue
	store   bool // in RDNA: vmcnt does not count it
	scalar  bool // it accesses memory by the scalar cache
	outside bool // some addresses are not in LDS
	vector  bool // vmcnt counts it
	local   bool // lgkmcnt counts it
	storing bool // vscnt counts it
	copying bool // the counter of its queue counts it: asynccnt or tensorcnt
	passed  bool // its wave has passed a barrier since
	lanes   uint64
	writes  []wave.RegisterRange
	written []span         // of LDS
	copied  []span         // of LDS, from where it reads after it was issued
	global  []span         // of global memory, if the waves' caches are apart
	op      wave.Operation // in global memory
	how     how
}

// scoreboard has what a wave has issued and not waited for, oldest first.
type scoreboard struct {
	issued      []outstanding
	busy        [wave.NumRegisters/64 + 1]uint64 // registers that issued instructions write
	split       bool                             // each counter has a wait of its own
	flatInOrder bool                             // flat instructions end in the order of issue, for each counter
}

func (g *workgroup) startWaits() {
	clear(g.unfinished)
	g.ended, g.learned = 0, [mostWaves]uint32{}
	if g.apart = ""; g.Waves > 1 {
		g.apart = g.Kernel.CachesApart()
	}
	for n := range g.boards {
		s := &g.boards[n]
		s.issued, s.busy = s.issued[:0], [len(s.busy)]uint64{}
	}
}

// Issued implements wave.Watch.
func (g *workgroup) Issued(w *wave.Wave, u *wave.Uses) {
	s := &g.boards[w.Index&(mostWaves-1)]
	if u.Waits {
		g.applyWait(w.Index, s, u)
		return
	}
	if len(s.issued) > 0 {
		g.checkRegisters(w, s, u)
	}
	if u.Queue != wave.NoQueue && (u.Queue != wave.StoreQueue || g.apart != "") {
		g.issue(w, s, u)
	}
}

// checkRegisters reports registers that an instruction reads, or writes, before an earlier instruction has written
// them. Instructions of one ordered queue write in their order.
func (g *workgroup) checkRegisters(w *wave.Wave, s *scoreboard, u *wave.Uses) {
	lanes := w.Exec()
	if u.All {
		lanes = ^uint64(0)
	}
	for _, r := range u.Reads {
		if reg, at, found := s.writer(r, lanes, wave.NoQueue); found {
			g.reportRegister(w, s, u, at, g.nameOf(reg)+" is read")
		}
	}
	ordered := u.Queue
	if u.Unordered(ordered) {
		ordered = wave.NoQueue
	}
	for _, r := range u.Writes {
		if reg, at, found := s.writer(r, lanes, ordered); found {
			g.reportRegister(w, s, u, at, g.nameOf(reg)+" is overwritten")
		}
	}
}

// nameOf returns a register's name in the kernel's assembly.
func (g *workgroup) nameOf(reg wave.Register) string {
	if g.Kernel.Chip().RDNA() {
		return reg.NameInRDNA()
	}
	return reg.String()
}

// writer finds the youngest outstanding instruction that writes one of the registers in one of the lanes, unless its
// queue is but.
func (s *scoreboard) writer(r wave.RegisterRange, lanes uint64, but wave.Queue) (reg wave.Register, at int, found bool) {
	for reg = r.First; reg < r.First+wave.Register(r.Count); reg++ {
		if reg >= wave.NumRegisters || s.busy[reg/64]>>(reg%64)&1 == 0 {
			continue
		}
		for at = len(s.issued) - 1; at >= 0; at-- {
			o := &s.issued[at]
			if o.queue != but && (!reg.Vector() || o.lanes&lanes != 0) && o.writesTo(reg) {
				return reg, at, true
			}
		}
	}
	return 0, 0, false
}

func (o *outstanding) writesTo(reg wave.Register) bool {
	for _, r := range o.writes {
		if reg >= r.First && reg < r.First+wave.Register(r.Count) {
			return true
		}
	}
	return false
}

// reportRegister reports that the instruction at issued[at] may not have written a register yet.
func (g *workgroup) reportRegister(w *wave.Wave, s *scoreboard, u *wave.Uses, at int, what string) {
	o := &s.issued[at]
	g.report(finding{kind: Wait, pc: w.PC - u.Words, other: o.pc + 1, wave: w.Index, lane: -1,
		what: what + " while an instruction that writes it may be under way",
		more: []string{"under way is " + g.launch.locate(o.pc), "missing in between is `" + s.missingWait(at) + "`"}})
}

// missingWait returns the s_waitcnt that waits for issued[at] and for as little else as possible.
func (s *scoreboard) missingWait(at int) string {
	return s.missingWaitAmong(at, len(s.issued))
}

// missingWaitAmong is missingWait when only the first of those were issued.
func (s *scoreboard) missingWaitAmong(at, first int) string {
	o := &s.issued[at]
	younger := func(q wave.Queue) (n int) {
		for k := at + 1; k < first; k++ {
			if s.counts(q, &s.issued[k]) {
				n++
			}
		}
		return n
	}
	switch o.queue {
	case wave.VectorQueue:
		return wave.WaitText(s.split, younger(wave.VectorQueue), -1, -1)
	case wave.WorkgroupQueue:
		return wave.WaitText(s.split, -1, younger(wave.WorkgroupQueue), -1)
	case wave.AsyncLoadQueue, wave.AsyncStoreQueue:
		return fmt.Sprintf("s_wait_asynccnt %#x", younger(o.queue)) // copies of the other kind may have ended before it
	case wave.StoreQueue:
		return s.missingStoreWait(at)
	case wave.TensorQueue:
		return fmt.Sprintf("s_wait_tensorcnt %#x", younger(wave.TensorQueue))
	case wave.ScalarQueue:
		return wave.WaitText(s.split, -1, -1, 0)
	}
	vector, workgroup := 0, 0
	if s.flatInOrder {
		vector, workgroup = younger(wave.VectorQueue), younger(wave.WorkgroupQueue)
	}
	switch {
	case !o.vector:
		return wave.WaitText(s.split, -1, workgroup, -1)
	case !o.local:
		return wave.WaitText(s.split, vector, -1, -1)
	}
	return wave.WaitText(s.split, vector, workgroup, -1)
}

// missingStoreWait returns the wait for the store issued[at], and for as few others as possible.
func (s *scoreboard) missingStoreWait(at int) string {
	younger := 0
	for n := range s.issued[at+1:] {
		if s.issued[at+1+n].storing {
			younger++
		}
	}
	return wave.StoreWaitText(s.split, younger)
}

// counts reports whether the counter of a queue counts an instruction among those that end in the order of issue.
func (s *scoreboard) counts(q wave.Queue, o *outstanding) bool {
	return o.queue == q || s.flatInOrder && o.flat && (q == wave.WorkgroupQueue || q == wave.VectorQueue && !o.store)
}

// issue puts an instruction on its wave's scoreboard.
func (g *workgroup) issue(w *wave.Wave, s *scoreboard, u *wave.Uses) {
	s.split, s.flatInOrder = u.Split, u.FlatInOrder
	g.stall(w.Index, s, int(u.MostWorkgroup))
	n := len(s.issued)
	if n == cap(s.issued) {
		s.issued = append(s.issued, outstanding{})
	}
	s.issued = s.issued[:n+1]
	o := &s.issued[n]
	*o = outstanding{pc: w.PC - u.Words, queue: u.Queue, lanes: w.Exec(), writes: u.Writes,
		written: o.written[:0], copied: o.copied[:0], global: o.global[:0]}
	switch u.Queue {
	case wave.FlatQueue:
		o.queue, o.flat, o.vector = wave.VectorQueue, true, true
		if u.Store {
			o.queue, o.store, o.vector, o.local = wave.WorkgroupQueue, true, false, true
			o.storing = g.apart != ""
		}
	case wave.VectorQueue:
		o.vector = true
	case wave.StoreQueue:
		o.storing = true
	case wave.AsyncLoadQueue, wave.AsyncStoreQueue, wave.TensorQueue:
		o.copying = true
	default:
		o.local, o.scalar = true, u.Queue == wave.ScalarQueue
	}
	s.mark(u.Writes)
}

func (s *scoreboard) mark(writes []wave.RegisterRange) {
	for _, r := range writes {
		for reg := r.First; reg < min(r.First+wave.Register(r.Count), wave.NumRegisters); reg++ {
			s.busy[reg/64] |= 1 << (reg % 64)
		}
	}
}

// stall makes space in counters that are full. As in hardware, the wave stops until an instruction has ended, which is
// assumed to be the oldest.
func (g *workgroup) stall(index int, s *scoreboard, mostLocal int) {
	if len(s.issued) < min(mostLocal, wave.MostVector) {
		return
	}
	vector, local, stores := 0, 0, 0
	var copies [wave.NumQueues]int
	var oldest, oldestLocal, oldestStore *outstanding
	var oldestCopy [wave.NumQueues]*outstanding
	for n := len(s.issued) - 1; n >= 0; n-- {
		o := &s.issued[n]
		if o.vector {
			vector, oldest = vector+1, o
		}
		if o.local {
			local, oldestLocal = local+1, o
		}
		if o.storing {
			stores, oldestStore = stores+1, o
		}
		if o.copying {
			copies[o.queue], oldestCopy[o.queue] = copies[o.queue]+1, o
		}
	}
	if vector >= wave.MostVector {
		oldest.vector = false
	}
	if local >= mostLocal {
		oldestLocal.local = false
	}
	if stores >= wave.MostVector {
		oldestStore.storing = false
	}
	for q, n := range copies {
		if n >= wave.MostCopies {
			oldestCopy[q].copying = false
		}
	}
	g.retire(index, s)
}

// applyWait handles an s_waitcnt: the counters are that low now, so some instructions must have ended.
func (g *workgroup) applyWait(index int, s *scoreboard, u *wave.Uses) {
	if len(s.issued) == 0 {
		return
	}
	vector, workgroup, scalar := int(u.Vector), int(u.Workgroup), int(u.Scalar)
	copies := [wave.NumQueues]int{wave.AsyncLoadQueue: int(u.Async), wave.AsyncStoreQueue: int(u.Async), wave.TensorQueue: int(u.Tensor)}
	var younger [wave.NumQueues]int
	stores := 0 // younger ones
	for n := len(s.issued) - 1; n >= 0; n-- {
		o := &s.issued[n]
		local := workgroup
		if o.queue == wave.ScalarQueue {
			local = scalar
		}
		o.vector = o.vector && vector > 0 && !(s.counts(wave.VectorQueue, o) && younger[wave.VectorQueue] >= vector)
		o.local = o.local && local > 0 && !(s.counts(wave.WorkgroupQueue, o) && younger[wave.WorkgroupQueue] >= local)
		o.copying = o.copying && younger[o.queue] < copies[o.queue]
		if o.storing {
			o.storing = stores < int(u.Stores)
			stores++
		}
		for q := range younger {
			if s.counts(wave.Queue(q), o) {
				younger[q]++
			}
		}
	}
	g.retire(index, s)
}

// retire removes instructions that no counter counts any more from a scoreboard.
func (g *workgroup) retire(index int, s *scoreboard) {
	left := 0
	for n := range s.issued {
		o := &s.issued[n]
		if !o.inLDS() {
			g.wordsEnded(index, o, &o.written, &o.copied)
		}
		if !o.inGlobal() {
			g.wordsEnded(index, o, &o.global)
		}
		if !o.vector && !o.local && !o.copying && !o.storing {
			continue
		}
		s.issued[left], s.issued[n] = s.issued[n], s.issued[left]
		left++
	}
	if left == len(s.issued) {
		return
	}
	s.issued, s.busy = s.issued[:left], [len(s.busy)]uint64{}
	for n := range s.issued {
		s.mark(s.issued[n].writes)
	}
}

// loadsIntoLDS reports whether one of the first instructions loads into LDS, or stores from there.
func (s *scoreboard) loadsIntoLDS(first int) bool {
	for n := range s.issued[:first] {
		if o := &s.issued[n]; o.bypasses() && len(o.written)+len(o.copied) > 0 {
			return true
		}
	}
	return false
}

// bypasses reports whether o accesses LDS out of the order of the wave's LDS instructions.
func (o *outstanding) bypasses() bool {
	return o.queue == wave.VectorQueue || o.copies()
}

// copies reports whether o copies between memory and LDS.
func (o *outstanding) copies() bool {
	return o.queue.Async() || o.queue == wave.TensorQueue
}

// announce handles an arrival at a barrier in LDS, by instruction last: who has seen it need not wait for the copies
// that it follows. Those are the wave's copies of tensors, or its asynchronous copies into LDS.
func (g *workgroup) announce(wave int, s *scoreboard, last int) {
	by := s.issued[last].queue
	for n := range s.issued[:last+1] {
		o := &s.issued[n]
		if o.queue == by {
			g.wordsEnded(wave, o, &o.written, &o.copied, &o.global)
			o.written, o.copied, o.global = o.written[:0], o.copied[:0], o.global[:0]
		}
	}
}

// setQueue sets the queue of a flat instruction that accesses a kind of memory.
func (o *outstanding) setQueue(s wave.Segment) {
	if o.store {
		return
	}
	if s == wave.Workgroup {
		o.local = true
	} else {
		o.outside = true
	}
	o.vector = o.outside
	switch {
	case o.vector && o.local:
		o.queue = wave.FlatQueue
	case o.local:
		o.queue = wave.WorkgroupQueue
	}
}

// checkLoading reports bytes of LDS that the wave itself is loading, or overwrites while it is storing them. Its other
// LDS instructions keep their order, and so do the loads of one queue but asynchronous ones.
func (g *workgroup) checkLoading(w *wave.Wave, s *scoreboard, a *wave.Access, bytes span, pc uint32) bool {
	last := len(s.issued) - 1
	by := &s.issued[last]
	for n := range s.issued[:last] {
		o := &s.issued[n]
		if a.Op != wave.Reads && by.bypasses() && o.queue == by.queue && !by.queue.Async() {
			continue
		}
		at, found, what := uint64(0), false, "a store from it may be under way"
		if a.Op != wave.Reads {
			at, found = bytes.common(o.copied)
		}
		if !found && o.bypasses() {
			at, found = bytes.common(o.written)
			what = "a load into it may be under way"
		}
		if found {
			g.reportByte(w, a, at, pc, what, o.pc, "missing in between is `"+s.missingWaitAmong(n, last)+"`")
			return true
		}
	}
	return false
}
