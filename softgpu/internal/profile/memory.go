package profile

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// globalMarks are the marks of global memory during one launch, by words.
type globalMarks struct {
	any   atomic.Bool
	mu    sync.Mutex
	pages map[uint64]*[pageWords]kinds
}

const pageWords = 1 << 10

// at is the marks of some bytes. mu is held.
func (m *globalMarks) at(addr, size uint64) (k kinds) {
	for word := addr >> 2; word <= (addr+size-1)>>2; word++ {
		if p := m.pages[word/pageWords]; p != nil {
			k |= p[word%pageWords]
		}
	}
	return k
}

// set replaces the marks of some bytes, or adds to them. Words of which bytes are written keep theirs. mu is held.
func (m *globalMarks) set(addr, size uint64, k kinds, add bool) {
	for word := addr >> 2; word <= (addr+size-1)>>2; word++ {
		p := m.pages[word/pageWords]
		if p == nil {
			if k == 0 {
				continue
			}
			if m.pages == nil {
				m.pages = map[uint64]*[pageWords]kinds{}
			}
			p = new([pageWords]kinds)
			m.pages[word/pageWords] = p
			m.any.Store(true)
		}
		replace(&p[word%pageWords], k, add || size < 4)
	}
}

func replace(at *kinds, k kinds, add bool) {
	if add {
		k |= *at
	}
	*at = k
}

// marked reports whether memory of any kind may have marks.
func (g *workgroup) marked(w *waveMarks) bool {
	return len(g.lds) > 0 || len(w.private) > 0 || g.launch.memory.any.Load()
}

// loaded returns the marks of the memory that lanes are about to load.
func (g *workgroup) loaded(w *wave.Wave, s *site) (r vectorMarks) {
	m := &g.marks[w.Index]
	if !g.marked(m) {
		return r
	}
	s.places.Each(w, &g.room, func(a *wave.Access) {
		if a.Op == wave.Writes {
			return // into LDS
		}
		g.each(a, func(lane int) {
			if found := g.marksAt(m, a, lane); found != 0 {
				r.kinds |= found
				r.lanes |= 1 << lane
			}
		})
	})
	return r
}

// each calls f for the lanes of an access; global memory is locked meanwhile.
func (g *workgroup) each(a *wave.Access, f func(lane int)) {
	if a.Segment == wave.Global {
		g.launch.memory.mu.Lock()
		defer g.launch.memory.mu.Unlock()
	}
	for l := a.Lanes; l != 0; l &= l - 1 {
		f(bits.TrailingZeros64(l) & 63)
	}
}

func (g *workgroup) marksAt(m *waveMarks, a *wave.Access, lane int) (k kinds) {
	addr := a.At[lane]
	switch a.Segment {
	case wave.Global:
		return g.launch.memory.at(addr, a.Size)
	case wave.Workgroup:
		for word := addr >> 2; word <= (addr+a.Size-1)>>2 && word < uint64(len(g.lds)); word++ {
			k |= g.lds[word]
		}
	default:
		for word := addr >> 2; word <= (addr+a.Size-1)>>2; word++ {
			k |= m.private[privateWord{lane, word}]
		}
	}
	return k
}

// stored gives the memory that lanes are about to store to the marks of the data. An atomic adds them to
// the memory's marks.
func (g *workgroup) stored(w *wave.Wave, s *site, data vectorMarks) {
	m := &g.marks[w.Index]
	if data.kinds == 0 && !g.marked(m) {
		return
	}
	s.places.Each(w, &g.room, func(a *wave.Access) {
		if a.Op == wave.Reads {
			return
		}
		g.each(a, func(lane int) {
			k := data.kinds
			if !a.Scalar && data.lanes>>lane&1 == 0 {
				k = 0
			}
			g.mark(m, a, lane, k)
		})
	})
}

func (g *workgroup) mark(m *waveMarks, a *wave.Access, lane int, k kinds) {
	addr, add := a.At[lane], a.Op == wave.Updates
	switch a.Segment {
	case wave.Global:
		g.launch.memory.set(addr, a.Size, k, add)
	case wave.Workgroup:
		last := (addr + a.Size - 1) >> 2
		if last >= mostLDS>>2 || k == 0 && last >= uint64(len(g.lds)) {
			return
		}
		for uint64(len(g.lds)) <= last {
			g.lds = append(g.lds, 0)
		}
		for word := addr >> 2; word <= last; word++ {
			replace(&g.lds[word], k, add || a.Size < 4)
		}
	default:
		for word := addr >> 2; word <= (addr+a.Size-1)>>2; word++ {
			at := privateWord{lane, word}
			if add || a.Size < 4 {
				k |= m.private[at]
			}
			if k == 0 {
				delete(m.private, at)
				continue
			}
			if m.private == nil {
				m.private = map[privateWord]kinds{}
			}
			m.private[at] = k
		}
	}
}

// mostLDS is more than a workgroup of any chip has: an access beyond it faults.
const mostLDS = 1 << 20

// privateWord is a word of a lane's own memory.
type privateWord struct {
	lane int
	word uint64
}
