package check

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// access is a remembered access to a word.
type access struct {
	group uint32 // number of the workgroup in its grid, plus one; zero: no access
	pc    uint32
	time  uint32
	epoch uint32 // number of barriers of its workgroup before it
	wave  uint8
	lane  uint8
	mask  uint8 // accessed bytes of the word
	how   how
}

// how says how an access takes part in synchronization.
type how uint8

const (
	plain   how = iota
	release     // a store that seems to make earlier stores visible
	synced      // an atomic, or a load that seems to be atomic
)

// word is the history of four bytes: the last write, and two reads since then by different waves, so that every writer
// finds a read that is not its own.
type word struct {
	write, read, other access
}

// howOf classifies an access by its instruction.
func howOf(t *wave.Touch) how {
	switch {
	case t.Op == wave.Updates, t.Op == wave.Reads && (t.Coherent || t.Manner&wave.Polls != 0):
		return synced
	case t.Op == wave.Writes && (t.Coherent || t.Manner&wave.Releases != 0):
		return release
	}
	return plain
}

// conflict finds an access before a that races with it, regardless of order. Two accesses conflict if they overlap, one
// of them is a write that is not atomic, and they don't seem to be two ends of a synchronization.
func (w *word) conflict(op wave.Operation, a *access, ordered func(*access) bool) (before *access, wrote bool) {
	if p := &w.write; p.group != 0 && p.mask&a.mask != 0 {
		races := false
		switch {
		case p.how == synced: // an atomic: only a plain store races with it
			races = op == wave.Writes && a.how == plain
		case op == wave.Writes:
			races = true
		case a.how == synced:
			races = op == wave.Updates && p.how == plain
		default:
			races = true
		}
		if races && !ordered(p) {
			return p, true
		}
	}
	if op != wave.Writes {
		return nil, false
	}
	for _, p := range []*access{&w.read, &w.other} {
		if p.group != 0 && p.mask&a.mask != 0 && p.how == plain && !ordered(p) {
			return p, false
		}
	}
	return nil, false
}

// remember adds a, which does not race, to w. A write that others have not seen replaces everything before it.
func (w *word) remember(op wave.Operation, a *access, ordered func(*access) bool) {
	if op != wave.Reads {
		w.write = *a
		if op == wave.Writes {
			w.read, w.other = access{}, access{}
		}
		return
	}
	if a.how == synced {
		return
	}
	same := func(p *access) bool { return p.group == a.group && p.wave == a.wave }
	switch {
	case w.read.group == 0 || same(&w.read) || ordered(&w.read):
		w.read = *a
	case w.other.group == 0 || same(&w.other) || ordered(&w.other):
		w.other = *a
	}
}
