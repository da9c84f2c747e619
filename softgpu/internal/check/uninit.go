package check

import (
	"fmt"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// initialized reports lanes that read unwritten memory, and notes what lanes write.
func (g *workgroup) initialized(w *wave.Wave, a *wave.Access, pc uint32) {
	bad, at := uint64(0), uint64(0)
	for k := a.Lanes; k != 0; k &= k - 1 {
		l := bits.TrailingZeros64(k) & 63
		m, off, size := g.memory(a, l)
		if m == nil {
			continue
		}
		if a.Op != wave.Writes {
			if n, found := g.unwritten(a, m, off, size, a.At[l]); found {
				if bad == 0 {
					at = a.At[l] + n
				}
				bad |= 1 << uint(l)
			}
		}
		if a.Op != wave.Reads {
			m.Mark(off, size)
		}
	}
	if bad == 0 {
		return
	}
	lane := bits.TrailingZeros64(bad)
	f := finding{kind: Uninit, pc: pc, wave: w.Index, lane: lane, lanes: bad}
	if a.Scalar {
		f.lane = -1
	}
	if a.Segment == wave.Workgroup {
		f.what = fmt.Sprintf("%s of workgroup memory that no work-item wrote, at offset %d", describe(&a.Touch), at)
	} else {
		f.what, f.addr = fmt.Sprintf("%s of device memory that was never written, at %#x", describe(&a.Touch), at), at
	}
	g.report(f)
}

// memory finds the state of a lane's memory: nil if writes to it are not recorded. size is the part of the access
// inside it.
func (g *workgroup) memory(a *wave.Access, lane int) (m *Written, off, size uint64) {
	if a.Segment == wave.Workgroup {
		return &g.written, a.At[lane], a.Size
	}
	addr := a.At[lane]
	if addr < g.block.Lo || addr >= g.block.Hi {
		b, ok := g.launch.checker.blocks.Find(addr)
		if !ok {
			return nil, 0, 0
		}
		g.block = b
	}
	if g.block.Written == nil {
		return nil, 0, 0
	}
	return g.block.Written, addr - g.block.Lo, min(a.Size, g.block.Hi-addr)
}

// widest is the largest distance between lanes for which everything between them is checked at once.
const widest = 16 << 10

// allWritten reports whether all of [low, high) is known to be written. Then there is nothing to report, and nothing
// new to note.
func (g *workgroup) allWritten(s wave.Segment, low, high uint64) bool {
	if high-low > widest {
		return false
	}
	if s == wave.Workgroup {
		return high <= uint64(g.LDS) && g.written.All(low, high-low)
	}
	return low >= g.block.Lo && high <= g.block.Hi && (g.block.Written == nil || g.block.Written.All(low-g.block.Lo, high-low))
}

// unwritten finds a part of an access of which nothing was written, and its offset. Parts are words, since compilers
// load more of a word than they need. Scalar loads have sizes that are powers of two words, so what comes after the
// middle may be unwanted by the program.
func (g *workgroup) unwritten(a *wave.Access, m *Written, off, size, addr uint64) (n uint64, found bool) {
	wanted := size
	if a.Scalar && !a.Tensor && a.Size > 8 {
		wanted = min(size, a.Size/2+4)
	}
	for n < wanted {
		part := min(4, size-n)
		if !m.Any(off+n, part) && (a.Segment == wave.Workgroup || g.fresh(m, addr+n, part)) {
			return n, true
		}
		n += part
	}
	return 0, false
}

// fresh reports whether the words around n bytes of the block found last still have the fill of the allocation, where
// no write is known.
func (g *workgroup) fresh(m *Written, addr, n uint64) bool {
	lo, hi := max(addr&^3, g.block.Lo), min((addr+n+3)&^3, g.block.Hi)
	for ; lo < hi; lo++ {
		if memory.ByteAt(lo) != Fresh && !m.Any(lo-g.block.Lo, 1) {
			return false
		}
	}
	return true
}
