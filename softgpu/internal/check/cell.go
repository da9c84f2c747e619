package check

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// access is one access to a word, as far as it is remembered.
type access struct {
	group uint32 // number of the workgroup in its grid, and one; zero: no access
	pc    uint32
	time  uint32
	epoch uint32 // barriers of its workgroup before it
	wave  uint8
	lane  uint8
	mask  uint8 // bytes of the word
	how   how
}

// how an access takes part in synchronization.
type how uint8

const (
	plain   how = iota
	release     // a store that looks as if it made earlier ones visible
	synced      // an atomic, or a load that is one as far as can be told
)

// word is what is remembered of four bytes: the last write, and two reads since
// by different waves, so that whoever writes finds one that is not its own.
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

// conflict finds an access before a that it races with, whatever the order. Two
// accesses conflict if they overlap, one of them is a write that is no atomic,
// and they do not look like two ends of a synchronization.
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

// remember puts a in w, which is known not to race. A write that others have not
// seen replaces all that was before it.
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
