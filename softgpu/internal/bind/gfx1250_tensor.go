package bind

import (
	"fmt"
	"math/bits"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/memory"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// Copies of tensors between memory and LDS, of GFX12.5 (CDNA5 ISA, 10.11). Scalar registers describe a tile of up to
// five dimensions within a tensor: the copy is the wave's, whatever EXEC is. It is complete before the next
// instruction; a wait for tensorcnt does nothing.

// TensorCopy has the first scalar registers of the four groups that describe a tensor, and the direction.
type TensorCopy struct {
	groups [4]int // -1: zeros
	Store  bool
}

// BindTensor finds the registers of a copy of a tensor.
func BindTensor(i *encoding.Inst) *TensorCopy {
	c := &TensorCopy{Store: i.Row.Name == "tensor_store_from_lds"}
	for n := range c.groups {
		if c.groups[n] = int(i.Src[n].Reg); i.Src[n].Reg == wave.NullRead {
			c.groups[n] = -1
		}
	}
	return c
}

// word returns a word of a group.
func (c *TensorCopy) word(w *wave.Wave, group, n int) uint32 {
	if c.groups[group] < 0 {
		return 0
	}
	return w.S[(c.groups[group]+n)&wave.AllScalars]
}

// field returns bits of a group, 64 at most.
func (c *TensorCopy) field(w *wave.Wave, group, first, count int) uint64 {
	var v uint64
	for bit := 0; bit < count; {
		at := first + bit
		v |= uint64(c.word(w, group, at/32)>>(at%32)) << bit
		bit += 32 - at%32
	}
	return v & (1<<count - 1)
}

// mostTile is the size of LDS: larger tiles are an error of the descriptor.
const mostTile = 320 << 10

// NoBarrier is the address of a barrier in LDS that a copy does not have.
const NoBarrier = ^uint64(0)

// Tensor is the copy that a wave's registers describe. Extents and strides count elements.
type Tensor struct {
	global, lds uint64
	element     uint64    // bytes
	rank        int       // dimensions of the tile; 0: nothing is copied
	tile        [5]uint64 // extents of the tile
	bounds      [5]uint64 // extents of the tensor, from the start of the tile on
	strides     [5]uint64
	rows        []uint64 // the second coordinates of the tile's rows; nil: they follow each other
	interval    uint64   // bytes in LDS after which padding is left out; 0: none
	padding     uint64

	times                 uint64 // that the tile is copied, at addresses that grow
	globalStep, localStep uint64

	Barrier uint64 // address in LDS of the barrier at which the copy arrives when it is complete
}

// Describe reads a wave's descriptor. wrong says why it can't be executed; empty: it can.
func (c *TensorCopy) Describe(w *wave.Wave) (t Tensor, wrong string) {
	t.Barrier, t.times = NoBarrier, 1
	if count := c.field(w, 0, 0, 2); count == 0 {
		return t, ""
	} else if count > 1 || c.field(w, 0, 2, 2) != 0 || c.field(w, 0, 10, 1) != 0 {
		return t, "the descriptor of the tensor is one that restores a saved wave"
	}
	if kind := c.field(w, 0, 126, 2); kind != 2 {
		return t, fmt.Sprintf("the descriptor of the tensor has type %d, not 2", kind)
	}
	if !c.Store && c.field(w, 1, 0, 16)&^1 != 0 {
		return t, "a tensor is copied to other workgroups of the cluster, which has one workgroup here"
	}
	t.lds, t.global = c.field(w, 0, 32, 32), c.field(w, 0, 64, 57)
	t.element = 1 << c.field(w, 1, 16, 2)
	t.tile = [5]uint64{c.field(w, 1, 112, 16), c.field(w, 1, 128, 16), c.field(w, 1, 144, 16), c.field(w, 2, 112, 16), c.field(w, 3, 80, 16)}
	t.bounds = [5]uint64{c.field(w, 1, 48, 32), c.field(w, 1, 80, 32), c.field(w, 2, 0, 32), c.field(w, 2, 32, 32), c.field(w, 3, 48, 32)}
	t.strides = [5]uint64{1, c.field(w, 1, 160, 48), c.field(w, 1, 208, 48), c.field(w, 2, 64, 48), c.field(w, 3, 0, 48)}
	if c.field(w, 1, 18, 1) != 0 {
		t.Barrier = c.field(w, 1, 32, 16) << 3
	}
	if wrong = c.shape(w, &t); wrong != "" {
		return t, wrong
	}
	if t.rank == 0 {
		if t.Barrier != NoBarrier {
			return t, "a tensor without elements arrives at a barrier, of which the manual does not tell the effect"
		}
		return t, ""
	}
	if c.field(w, 1, 20, 1) != 0 && !c.Store {
		t.interval, t.padding = 8<<c.field(w, 1, 22, 3), 4*(c.field(w, 1, 25, 7)+1)
		if t.tile[0]*t.element%4 != 0 {
			return t, fmt.Sprintf("a tensor is padded whose rows have %d bytes, not a multiple of 4", t.tile[0]*t.element)
		}
	}
	size := t.element
	for _, n := range t.tile[:t.rank] {
		if size *= n; size > mostTile {
			return t, fmt.Sprintf("a tile has more than the %d bytes of LDS", mostTile)
		}
	}
	if wrong = c.iterations(w, &t); wrong == "" && t.exceeds() {
		wrong = "rows of a tensor have addresses of more than 57 bits"
	}
	return t, wrong
}

// exceeds reports whether the last row that is within the tensor lies beyond the addresses of 57 bits that descriptors
// have.
func (t *Tensor) exceeds() bool {
	const most = 1 << 57
	if t.bounds[0] == 0 {
		return false
	}
	row := (t.times - 1) * t.globalStep
	for n := 1; n < t.rank; n++ {
		last, inside := uint64(0), false
		if t.rows == nil {
			last, inside = min(t.tile[n], t.bounds[n])-1, t.bounds[n] != 0
		}
		for _, x := range t.rows {
			if x < t.bounds[n] {
				last, inside = max(last, x), true
			}
		}
		if !inside {
			return false // nothing is
		}
		high, distance := bits.Mul64(last, t.strides[n])
		if high != 0 || distance > most {
			return true
		}
		row += distance
	}
	return t.global+(row+min(t.tile[0], t.bounds[0]))*t.element > most
}

// shape finds the dimensions of the tile.
func (c *TensorCopy) shape(w *wave.Wave, t *Tensor) (wrong string) {
	gather, wide := c.field(w, 0, 31, 1) != 0, c.field(w, 0, 30, 1) != 0
	switch {
	case gather:
		return c.gather(w, t, wide)
	case wide:
		return "the descriptor of the tensor has row indices of 32 bits, but does not gather rows: MLIR 23 and 24 write that for those of 16 bits"
	case t.tile[0] == 0:
		return ""
	}
	if c.iterates(w) {
		t.tile[3] = 0
	}
	for n, extent := range t.tile {
		if extent != 0 {
			if n > t.rank {
				return fmt.Sprintf("dimension %d of a tile is 0, but dimension %d is not", t.rank, n)
			}
			t.rank++
		}
	}
	return ""
}

// gather finds the rows of a tile that lists them.
func (c *TensorCopy) gather(w *wave.Wave, t *Tensor, wide bool) (wrong string) {
	rows, width := t.tile[1], 16
	if wide {
		width = 32
	}
	if most := uint64(256 / width); rows > most {
		return fmt.Sprintf("a tensor gathers %d rows, of %d at most", rows, most)
	}
	if t.tile[0] == 0 || rows == 0 {
		return ""
	}
	t.rank = 2
	for n := range int(rows) {
		at := n * width
		t.rows = append(t.rows, c.field(w, 2+at/128, at%128, width))
	}
	return ""
}

// iterates reports whether the tile is copied several times.
func (c *TensorCopy) iterates(w *wave.Wave) bool {
	return c.field(w, 1, 19, 1) != 0 && c.field(w, 0, 31, 1) == 0
}

// iterations finds how often the tile is copied. Where a tile would be out of the tensor's bounds by the addresses, but
// not by its own coordinates, public sources differ in what happens.
func (c *TensorCopy) iterations(w *wave.Wave, t *Tensor) (wrong string) {
	if !c.iterates(w) {
		return ""
	}
	if t.rank != 2 && t.rank != 3 {
		return fmt.Sprintf("a tile of %d dimensions is copied repeatedly, which is for 2 and 3", t.rank)
	}
	if t.times = c.field(w, 2, 112, 16) + 1; t.times > 256 {
		return fmt.Sprintf("a tile is copied %d times, which is for 256 at most", t.times)
	}
	t.localStep, t.globalStep = c.field(w, 2, 32, 32), c.field(w, 2, 64, 48)
	if t.times == 1 {
		return ""
	}
	if t.interval != 0 {
		return "a tile is copied repeatedly and padded, of which public sources do not tell the effect"
	}
	if t.globalStep == 0 {
		return ""
	}
	for n := 1; n < t.rank; n++ {
		if t.strides[n] < t.strides[n-1] {
			return "a tile is copied repeatedly from a tensor whose strides do not ascend, of which public sources do not tell the effect"
		}
	}
	last := (t.times - 1) * t.globalStep
	for k := t.globalStep; k <= last; k += t.globalStep {
		at, empty, outside := k, false, false
		for n := t.rank - 1; n >= 0; n-- {
			inside := min(t.tile[n], t.bounds[n])
			empty = empty || inside == 0
			outside = outside || at/t.strides[n]+inside > t.bounds[n]
			at %= t.strides[n]
		}
		if outside && !empty {
			return "a tile that is copied repeatedly leaves the tensor, of which public sources do not tell the effect"
		}
	}
	return ""
}

// TensorPiece is bytes of a tile that follow each other in memory and in LDS.
type TensorPiece struct {
	Global, LDS, Size uint64
	Inside            bool // they are within the tensor's bounds
}

// Each calls f for the pieces of a copy, in the order of LDS, while f returns true.
func (t *Tensor) Each(f func(p TensorPiece) bool) {
	if t.rank == 0 {
		return
	}
	for k := range t.times {
		var at [5]uint64 // coordinates of a row
		stored := uint64(0)
		for {
			row, inside := k*t.globalStep, true
			for n := 1; n < t.rank; n++ {
				x := at[n]
				if t.rows != nil {
					x = t.rows[x]
				}
				row += x * t.strides[n]
				inside = inside && x < t.bounds[n]
			}
			first := TensorPiece{Global: t.global + row*t.element, Inside: true}
			if inside {
				first.Size = min(t.tile[0], t.bounds[0]) * t.element
			}
			rest := TensorPiece{Global: first.Global + first.Size, Size: t.tile[0]*t.element - first.Size}
			if !t.cut(first, k*t.localStep*t.element, &stored, f) || !t.cut(rest, k*t.localStep*t.element, &stored, f) {
				return
			}
			n := 1
			for ; n < t.rank; n++ {
				if at[n]++; at[n] < t.tile[n] {
					break
				}
				at[n] = 0
			}
			if n == t.rank {
				break
			}
		}
	}
}

// cut calls f for the parts of p between which padding is left out in LDS.
func (t *Tensor) cut(p TensorPiece, from uint64, stored *uint64, f func(p TensorPiece) bool) bool {
	for p.Size > 0 {
		part := p
		part.LDS = t.lds + from + *stored
		if t.interval != 0 {
			part.LDS += *stored / t.interval * t.padding
			part.Size = min(part.Size, t.interval-*stored%t.interval)
		}
		part.LDS &= 1<<32 - 1
		if !f(part) {
			return false
		}
		*stored += part.Size
		p.Global, p.Size = p.Global+part.Size, p.Size-part.Size
	}
	return true
}

// CopyTensor executes a copy of a tensor.
func CopyTensor(i *encoding.Inst) encoding.Step {
	c := BindTensor(i)
	return func(w *wave.Wave) {
		t, wrong := c.Describe(w)
		if wrong != "" {
			w.Fail(wrong, -1, 0)
			return
		}
		t.Each(func(p TensorPiece) bool { return c.copy(w, &t, p) })
		if w.Status != wave.Faulted && t.Barrier != NoBarrier && t.Barrier+8 <= uint64(len(w.LDS)) {
			arrive(w.LDSBase() + t.Barrier)
		}
	}
}

// copy copies one piece. What is beyond LDS reads as zeros and is not written.
func (c *TensorCopy) copy(w *wave.Wave, t *Tensor, p TensorPiece) bool {
	size := uint64(0) // in LDS
	if p.LDS < uint64(len(w.LDS)) {
		size = min(p.Size, uint64(len(w.LDS))-p.LDS)
	}
	if !p.Inside {
		if !c.Store && size > 0 {
			clear(w.LDS[p.LDS:][:size])
		}
		return true
	}
	step := p.Size
	if _, ok := w.Locate(p.Global, p.Size, c.Store); !ok {
		step = t.element // it may lie in several windows
	}
	for n := uint64(0); n < p.Size; n += step {
		at, ok := w.Locate(p.Global+n, step, c.Store)
		if !ok {
			w.FailAccess(-1, p.Global+n, c.Store)
			return false
		}
		there := uint64(0)
		if n < size {
			there = min(step, size-n)
		}
		if !c.Store {
			memory.Move(w.LDSBase()+p.LDS+n, at, there)
			continue
		}
		memory.Move(at, w.LDSBase()+p.LDS+n, there)
		for b := there; b < step; b++ {
			memory.Store8(at+b, 0)
		}
	}
	return true
}
