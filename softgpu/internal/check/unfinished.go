package check

import (
	"fmt"
	"iter"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// A barrier waits for waves, not for their memory instructions. This file follows what a wave has not waited for when
// it reaches a barrier, until the first barrier after its wait, and finds what other waves access meanwhile.
//
// In LDS, instructions of different waves may be executed in another order than that of issue. In global memory this
// holds only where the waves of a workgroup do not share one cache ([emu.Kernel.CachesApart]).

// span is bytes of LDS or, with inGlobalMemory, of global memory: from its first one until that after its last one.
type span struct{ from, until uint64 }

// inGlobalMemory distinguishes addresses of global memory from those in LDS.
const inGlobalMemory = 1 << 63

// appendSpan adds s to spans of which it may continue the last.
func appendSpan(to []span, s span) []span {
	if n := len(to) - 1; n >= 0 && to[n].until == s.from {
		to[n].until = s.until
		return to
	}
	return append(to, s)
}

// common finds a byte of s in one of some spans.
func (s span) common(some []span) (at uint64, found bool) {
	for _, o := range some {
		if at = max(s.from, o.from); at < min(s.until, o.until) {
			return at, true
		}
	}
	return 0, false
}

// words are the words in which s has bytes, with a mask of these.
func (s span) words() iter.Seq2[uint64, uint8] {
	return func(yield func(uint64, uint8) bool) {
		for at := s.from; at < s.until; {
			n := min(4-at&3, s.until-at)
			if !yield(at/4, uint8((1<<n-1)<<(at&3))) {
				return
			}
			at += n
		}
	}
}

// unfinished is an access to a word that a wave had not waited for when it reached a barrier.
type unfinished struct {
	wave  int
	pc    uint32
	mask  uint8 // accessed bytes of the word
	op    wave.Operation
	how   how
	needs string // the wait that was needed before the barrier
	from  uint32 // number of that barrier, from one
	until uint32 // the first barrier after the wait; zero: it has not waited yet
	ended uint32 // workgroup.ended after the wait
}

// inLDS reports whether o may still access LDS.
func (o *outstanding) inLDS() bool { return o.local || o.copying || o.vector && !o.flat }

// inGlobal reports whether o may still access global memory.
func (o *outstanding) inGlobal() bool { return o.vector || o.copying || o.storing }

// wordsEnded notes that an instruction's accesses have ended: a wave that passes the wave's next barrier may access the
// same words.
func (g *workgroup) wordsEnded(wave int, o *outstanding, accesses ...*[]span) {
	for _, spans := range accesses {
		if !o.passed || len(*spans) == 0 {
			continue
		}
		g.ended++
		for _, s := range *spans {
			for word := range s.words() {
				if l, ok := g.unfinished[word]; ok && l.wave == wave && l.pc == o.pc && l.until == 0 {
					l.until, l.ended = g.barriers[wave&(mostWaves-1)]+1, g.ended
					g.unfinished[word] = l
				}
			}
		}
		*spans = (*spans)[:0]
	}
}

// learns notes that a wave may know now which accesses of other waves have ended.
func (g *workgroup) learns(wave int) { g.learned[wave&(mostWaves-1)] = g.ended }

// atBarrier notes what a wave is still accessing when it reaches a barrier.
func (g *workgroup) atBarrier(index int) {
	s := &g.boards[index&(mostWaves-1)]
	for n := range s.issued {
		o := &s.issued[n]
		if o.passed || len(o.written)+len(o.copied)+len(o.global) == 0 {
			continue
		}
		if g.unfinished == nil {
			g.unfinished = map[uint64]unfinished{}
		}
		o.passed = true
		at := unfinished{wave: index, pc: o.pc, how: o.how, from: g.barriers[index&(mostWaves-1)]}
		if o.inLDS() {
			at.needs, at.op = s.missingWait(n), wave.Writes
			g.leave(at, o.written)
			at.op = wave.Reads
			g.leave(at, o.copied)
		}
		if o.inGlobal() {
			at.op, at.needs = o.op, s.missingWait(n)
			if o.storing {
				at.needs = s.missingStoreWait(n)
			}
			g.leave(at, o.global)
		}
	}
}

// leave notes an unfinished access. Of accesses to one word by several instructions it keeps the last one, and a write
// rather than a read.
func (g *workgroup) leave(at unfinished, spans []span) {
	for _, s := range spans {
		for word, mask := range s.words() {
			l, ok := g.unfinished[word]
			if ok && at.op == wave.Reads && l.op != wave.Reads && l.until == 0 {
				continue
			}
			at.mask = mask
			if ok && l.wave == at.wave && l.pc == at.pc && l.from == at.from && l.op == at.op {
				at.mask |= l.mask // bytes of other lanes
			}
			g.unfinished[word] = at
		}
	}
}

// mostUnfinished is the number of unfinished accesses from which on those that matter no more are forgotten.
const mostUnfinished = 1 << 12

// forget drops accesses that ended before the barrier that all remaining waves have reached now.
func (g *workgroup) forget() {
	if len(g.unfinished) < mostUnfinished {
		return
	}
	reached := uint32(0)
	for _, n := range g.barriers[:min(g.Waves, mostWaves)] {
		reached = max(reached, n)
	}
	for word, l := range g.unfinished {
		if l.until != 0 && l.until <= reached {
			delete(g.unfinished, word)
		}
	}
}

// checkAccess notes what an access of an instruction in progress accesses, and reports what another wave may still be
// accessing.
func (g *workgroup) checkAccess(w *wave.Wave, a *wave.Access, pc uint32) {
	g.checkIssued(w, a, pc)
	if howOf(&a.Touch) == synced {
		g.learns(w.Index)
	}
}

func (g *workgroup) checkIssued(w *wave.Wave, a *wave.Access, pc uint32) {
	s := &g.boards[w.Index&(mostWaves-1)]
	last := len(s.issued) - 1
	if last < 0 || s.issued[last].pc != pc {
		return
	}
	o := &s.issued[last]
	if o.flat {
		o.setQueue(a.Segment)
	}
	switch {
	case a.Segment == wave.Workgroup:
		g.checkLDS(w, a, s, pc)
	case a.Segment == wave.Global && g.apart != "" && !o.scalar:
		g.checkGlobal(w, a, o, pc)
	}
}

// checkLDS is checkAccess in LDS, by the instruction that was issued last.
func (g *workgroup) checkLDS(w *wave.Wave, a *wave.Access, s *scoreboard, pc uint32) {
	last := len(s.issued) - 1
	o := &s.issued[last]
	if o.copies() && a.Op == wave.Updates {
		g.announce(w.Index, s, last)
		return
	}
	if a.Op == wave.Updates {
		o.how = synced
	}
	writes, unfinished := a.Op != wave.Reads, len(g.unfinished) > 0
	loading := s.loadsIntoLDS(last)
	if !writes && !unfinished && !loading && !o.copies() {
		return
	}
	for k := a.Lanes; k != 0; k &= k - 1 {
		at := a.At[bits.TrailingZeros64(k)&63]
		if at >= uint64(g.LDS) {
			continue
		}
		bytes := span{at, min(at+a.Size, uint64(g.LDS))}
		if unfinished && g.checkUnfinished(w, a, bytes, pc) || loading && g.checkLoading(w, s, a, bytes, pc) {
			unfinished, loading = false, false // one report is enough
		}
		if writes {
			o.written = appendSpan(o.written, bytes)
		} else if o.copies() {
			o.copied = appendSpan(o.copied, bytes)
		}
	}
}

// checkGlobal is checkAccess in global memory. An atomic load may see an old value, so no barrier has to wait for it or
// for what it reads. The order of a store that leaves memory unchanged does not matter either.
func (g *workgroup) checkGlobal(w *wave.Wave, a *wave.Access, o *outstanding, pc uint32) {
	if a.Op == wave.Reads && howOf(&a.Touch) == synced {
		return
	}
	o.op, o.how = a.Op, howOf(&a.Touch)
	check := uint64(0)
	if len(g.unfinished) > 0 {
		check = a.Lanes
		if a.Op == wave.Writes {
			check &^= silent(w, a)
		}
	}
	for k := a.Lanes; k != 0; k &= k - 1 {
		lane := bits.TrailingZeros64(k) & 63
		at := a.At[lane] | inGlobalMemory
		bytes := span{at, at + a.Size}
		if check>>uint(lane)&1 != 0 && g.checkUnfinished(w, a, bytes, pc) {
			check = 0 // one report is enough
		}
		o.global = appendSpan(o.global, bytes)
	}
}

// checkUnfinished reports a word that another wave was accessing at a barrier in between, and had not waited for.
func (g *workgroup) checkUnfinished(w *wave.Wave, a *wave.Access, bytes span, pc uint32) bool {
	now, learned := g.barriers[w.Index&(mostWaves-1)], g.learned[w.Index&(mostWaves-1)]
	for word, mask := range bytes.words() {
		l, ok := g.unfinished[word]
		if !ok || l.wave == w.Index || l.mask&mask == 0 || now < l.from || l.until != 0 && (now >= l.until || learned >= l.ended) || !l.disturbs(a) {
			continue
		}
		delete(g.unfinished, word)
		at := word*4 + uint64(bits.TrailingZeros8(l.mask&mask))
		doing := "writing"
		if l.op == wave.Reads {
			doing = "reading"
		}
		g.reportByte(w, a, at, pc, fmt.Sprintf("wave %d may still be %s it", l.wave, doing), l.pc, "missing before that wave's barrier is `"+l.needs+"`")
		return true
	}
	return false
}

// disturbs reports whether it matters which of the two accesses comes first. It does not for two reads, nor for two
// atomics.
func (l *unfinished) disturbs(a *wave.Access) bool {
	return (l.op != wave.Reads || a.Op != wave.Reads) && (l.how == plain || howOf(&a.Touch) == plain)
}

// reportByte reports an access to a byte at an offset in LDS or an address inGlobalMemory.
func (g *workgroup) reportByte(w *wave.Wave, a *wave.Access, at uint64, pc uint32, while string, other uint32, missing string) {
	f := finding{kind: Wait, pc: pc, other: other + 1, wave: w.Index, lane: -1, more: []string{"under way is " + g.launch.locate(other), missing}}
	if at&inGlobalMemory != 0 {
		f.addr = at &^ inGlobalMemory
		f.what = fmt.Sprintf("%s of global memory, at %#x, while %s", describe(&a.Touch), f.addr, while)
		f.more = append(f.more, g.apart)
	} else {
		f.what = fmt.Sprintf("%s of workgroup memory, at offset %d, while %s", describe(&a.Touch), at, while)
	}
	g.report(f)
}
