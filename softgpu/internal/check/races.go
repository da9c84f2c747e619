package check

import (
	"fmt"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// races reports lanes whose access is not ordered after an earlier conflicting one, and remembers the access.
func (g *workgroup) races(w *wave.Wave, a *wave.Access, pc uint32) {
	if a.Op == wave.Writes {
		g.sameInstruction(w, a, pc)
	}
	l := g.launch
	now := access{group: g.group, pc: pc, epoch: g.epoch, wave: uint8(w.Index), how: howOf(&a.Touch)}
	if a.Segment == wave.Workgroup && g.ofBarrier(a) {
		now.how = synced
	}
	if a.Segment == wave.Global {
		g.lock()
		if a.Op == wave.Writes {
			a.Lanes &^= silent(w, a)
		}
	}
	if now.how == synced {
		now.time = l.now.Add(1) - 1
	} else {
		now.time = l.now.Load()
	}
	var bad uint64
	var first access
	var wrote bool
	for k := a.Lanes; k != 0; k &= k - 1 {
		lane := bits.TrailingZeros64(k) & 63
		now.lane = uint8(lane)
		if now.how == synced {
			g.synchronize(a, w.Index, a.At[lane], now.time)
		}
		for at, end := a.At[lane], a.At[lane]+a.Size; at < end; {
			n := min(4-at&3, end-at)
			now.mask = uint8((1<<n - 1) << (at & 3))
			before, written := g.step(w, a, at, lane, &now)
			if before != nil && bad>>uint(lane)&1 == 0 {
				if bad == 0 {
					first, wrote = *before, written
				}
				bad |= 1 << uint(lane)
			}
			at += n
		}
	}
	if bad != 0 {
		g.reportRace(w, a, pc, bad, &first, wrote)
	}
	if a.Op == wave.Reads && now.how == plain {
		g.Done() // no other access learns from its time
	}
}

// numbered is the key under which a workgroup notes what waves pass on by a barrier with a number.
const numbered = 1 << 62

// Signals implements wave.Watch.
func (g *workgroup) Signals(w *wave.Wave, barrier int) {
	if g.modes.Race {
		g.release(numbered|uint64(barrier), w.Index, g.launch.now.Add(1)-1)
	}
}

// Waited implements wave.Watch.
func (g *workgroup) Waited(w *wave.Wave, barrier int) {
	g.learns(w.Index)
	if p := g.passed[numbered|uint64(barrier)]; p != nil && g.modes.Race {
		for other, until := range p {
			g.hear(other, w.Index, until)
		}
	}
}

// ofBarrier reports whether an access reads or updates a barrier in LDS, and notes those at which waves arrive.
func (g *workgroup) ofBarrier(a *wave.Access) bool {
	at := a.At[bits.TrailingZeros64(a.Lanes)&63]
	if !a.Arrives {
		return a.Op == wave.Reads && g.arrivals[at]
	}
	if g.arrivals == nil {
		g.arrivals = map[uint64]bool{}
	}
	g.arrivals[at] = true
	return true
}

// lock locks the launch until the instruction is done. What an atomic is noted to have learned must match the value
// that it reads, and a store must not be learned of before it is visible. So no other access may come between a note
// and its instruction.
func (g *workgroup) lock() {
	if !g.locked {
		g.launch.mu.Lock()
		g.locked = true
	}
}

// step handles one word of an access.
func (g *workgroup) step(w *wave.Wave, a *wave.Access, at uint64, lane int, now *access) (before *access, wrote bool) {
	word := g.word(a.Segment, at)
	if a.Op == wave.Reads && word.write.group == 0 && word.read.group == g.group && word.read.wave == now.wave &&
		word.read.epoch == now.epoch && word.read.time == now.time && word.read.mask&now.mask == now.mask {
		return nil, false // nothing to race with, and nothing new to remember
	}
	ordered := func(p *access) bool { return g.ordered(p, now) }
	if p, written := word.conflict(a.Op, now, ordered); p != nil && !g.sameValue(w, a, at, lane, written) {
		c := *p
		before, wrote = &c, written
	}
	word.remember(a.Op, now, ordered)
	return before, wrote
}

func (g *workgroup) word(s wave.Segment, at uint64) *word {
	if s == wave.Global {
		return g.launch.words.word(at)
	}
	w := &g.words[at/4]
	if w.write.epoch != g.epoch {
		w.write = access{}
	}
	if w.read.epoch != g.epoch {
		w.read = access{}
	}
	if w.other.epoch != g.epoch {
		w.other = access{}
	}
	return w
}

// ordered reports whether p comes before the access that its workgroup is making now.
func (g *workgroup) ordered(p, now *access) bool {
	if p.group != g.group {
		return g.launch.known[g.group].knows(p.group, p.time)
	}
	return p.epoch != now.epoch || p.wave == now.wave || p.time < g.heard[p.wave&(mostWaves-1)][now.wave&(mostWaves-1)]
}

// synchronize handles a lane's atomic, or a load that acts as one: the wave learns what others did before they released
// this address. An atomic also releases.
func (g *workgroup) synchronize(a *wave.Access, index int, at uint64, time uint32) {
	key := at &^ 3
	if a.Segment == wave.Workgroup {
		key |= 1 << 63
	}
	if w := g.word(a.Segment, at).write; w.group == g.group && w.epoch == g.epoch {
		g.hear(int(w.wave), index, w.time+1)
	} else if a.Segment == wave.Global {
		g.launch.hear(g.group, key, &w)
	}
	if p := g.passed[key]; p != nil {
		for other, until := range p {
			g.hear(other, index, until)
		}
	}
	if a.Op != wave.Updates {
		return
	}
	g.release(key, index, time)
	if a.Segment == wave.Global {
		g.launch.exchange(g.group, key, time+1)
	}
}

// release notes that who learns of a key knows what a wave knows and has done until then.
func (g *workgroup) release(key uint64, index int, time uint32) {
	if g.passed == nil {
		g.passed = map[uint64]*[mostWaves]uint32{}
	}
	p := g.passed[key]
	if p == nil {
		p = new([mostWaves]uint32)
		g.passed[key] = p
	}
	for other := range p {
		p[other] = max(p[other], g.heard[other][index&(mostWaves-1)])
	}
	p[index&(mostWaves-1)] = time + 1
}

// hear notes that wave knows what other did until then.
func (g *workgroup) hear(other, wave int, until uint32) {
	h := &g.heard[other&(mostWaves-1)][wave&(mostWaves-1)]
	*h = max(*h, until)
}

// silent returns the lanes of a store that leave memory unchanged: a reader gets the same value before and after.
func silent(w *wave.Wave, a *wave.Access) (lanes uint64) {
	if !a.HasData() {
		return 0
	}
	for k := a.Lanes; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		n := uint64(0)
		for a.At[l] != 0 && n < a.Size && w.Writable(a.At[l], a.Size) && memory.ByteAt(a.At[l]+n) == a.DatumByte(w, l, n) {
			n++
		}
		if n == a.Size {
			lanes |= 1 << uint(l)
		}
	}
	return lanes
}

// sameValue reports whether a store that conflicts with another store leaves memory unchanged. Then the order of the
// two does not matter.
func (g *workgroup) sameValue(w *wave.Wave, a *wave.Access, at uint64, lane int, written bool) bool {
	if !written || a.Op != wave.Writes || !a.HasData() {
		return false
	}
	off := at - a.At[lane]
	for n := uint64(0); n < min(4-at&3, a.Size-off); n++ {
		var old byte
		if a.Segment == wave.Workgroup {
			old = w.LDS[at+n]
		} else {
			old = memory.ByteAt(at + n)
		}
		if a.DatumByte(w, lane, off+n) != old {
			return false
		}
	}
	return true
}

// sameInstruction reports lanes of one store that write different values to the same address, of which an undefined one
// stays.
func (g *workgroup) sameInstruction(w *wave.Wave, a *wave.Access, pc uint32) {
	if !a.HasData() {
		return
	}
	var table [256]uint8 // lanes, plus one, by a hash of their addresses
	for k := a.Lanes; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		at := a.At[l]
		for h := uint8(at * 0x9e3779b97f4a7c15 >> 56); ; h++ {
			if table[h] == 0 {
				table[h] = uint8(l) + 1
				break
			}
			other := int(table[h]) - 1
			if a.At[other] != at {
				continue
			}
			for n := range a.Size {
				if a.DatumByte(w, l, n) != a.DatumByte(w, other, n) {
					before := access{group: g.group, pc: pc, wave: uint8(w.Index), lane: uint8(other)}
					g.reportRace(w, a, pc, 1<<uint(l), &before, true)
					return
				}
			}
			break
		}
	}
}

func (g *workgroup) reportRace(w *wave.Wave, a *wave.Access, pc uint32, bad uint64, before *access, wrote bool) {
	lane := bits.TrailingZeros64(bad)
	f := finding{kind: Race, pc: pc, other: before.pc + 1, wave: w.Index, lane: lane, lanes: bad}
	if a.Scalar {
		f.lane = -1
	}
	earlier := "read"
	if wrote {
		earlier = "write"
		if before.how == synced {
			earlier = "atomic update"
		}
	}
	lacking := "no barrier or atomic orders it after"
	switch {
	case before.pc == pc && before.wave == uint8(w.Index) && before.group == g.group:
		lacking = "it is one instruction with"
	case before.group != g.group:
		lacking = "no atomic orders it after"
	}
	f.what = fmt.Sprintf("%s in %s, at %s", describe(&a.Touch), memories[a.Segment], where(a, lane))
	if a.Segment == wave.Global {
		f.addr = a.At[lane]
	}
	f.more = []string{
		fmt.Sprintf("%s the %s at %s", lacking, earlier, g.launch.locate(before.pc)),
		"by " + whoIn(g.launch.idOf(before.group), g.Block, g.Kernel.Lanes(), int(before.wave), int(before.lane)),
	}
	g.report(f)
}
