package random

import "fmt"

// Statements that work-items execute together.

// exchange adds: every work-item leaves a value in a cell of its own, all meet, and
// each reads the cells that it chooses.
func (g *generator) exchange() {
	s := g.p.statement(exchange)
	s.elem = pick(g, stored...)
	if g.IntN(4) == 0 {
		s.elem, s.global = pick(g, "i32", "i64"), true
	}
	t := Type{elem: s.elem}
	s.args = []*Value{g.use(t)}
	n := g.p.items()
	s.fill = []string{fmt.Sprintf("%s = arith.constant %d : index", s.local("shift"), g.IntN(n)),
		fmt.Sprintf("%s = arith.constant %d : index", s.local("n"), n),
		fmt.Sprintf("%s = arith.addi %%lin, %s : index", s.local("moved"), s.local("shift")),
		fmt.Sprintf("%s = arith.remui %s, %s : index", s.local("to"), s.local("moved"), s.local("n"))}
	var results []*Value
	for k := range 1 + g.IntN(2) {
		from := g.use(index)
		s.args = append(s.args, from)
		all, at := s.local("all"+itoa(k)), s.local("at"+itoa(k))
		s.lane = append(s.lane, fmt.Sprintf("%s = arith.constant %d : index\n%s = arith.remui %s, %s : index", all, n, at, from.name, all))
		results = append(results, g.p.value(t))
	}
	g.add(s, results...)
}

// shuffle adds a gpu.shuffle. Where the lane that it names lies outside of the
// work-item's group of width lanes, the value stays what it was.
func (g *generator) shuffle() {
	widths := []int{}
	for w := 2; w <= g.p.reach; w *= 2 {
		if g.p.items()%w == 0 {
			widths = append(widths, w)
		}
	}
	if len(widths) == 0 {
		g.exchange()
		return
	}
	s := g.p.statement(shuffle)
	s.width = pick(g, widths...)
	s.move = pick(g, "xor", "xor", "up", "down")
	if s.width == g.p.lanes { // LLVM makes a v_readlane_b32, which reaches all of the wave, of some
		s.move = pick(g, "xor", "up", "down", "idx")
	}
	t := Type{elem: pick(g, "i8", "i16", "i32", "i64", "f16", "bf16", "f32", "f64")}
	by := g.use(i32)
	s.args = []*Value{g.use(t), by}
	offset := by.name
	lines := ""
	if s.move != "idx" && g.IntN(2) == 0 {
		s.args = s.args[:1]
		offset = s.local("c")
		lines = fmt.Sprintf("%s = arith.constant %d : i32\n", offset, g.IntN(s.width))
	}
	s.lane = []string{lines + fmt.Sprintf("%s = arith.constant %d : i32\n%s = arith.andi %s, %s : i32",
		s.local("mask"), s.width-1, s.local("by"), offset, s.local("mask"))}
	g.add(s, g.p.value(t))
}

// tally adds: cells of workgroup memory start at zero, all work-items change cells
// that they choose, and then read one.
func (g *generator) tally() {
	s := g.p.statement(tally)
	s.elem = pick(g, "i32", "i64", "i32", "f32")
	t := Type{elem: s.elem}
	s.operate = pick(g, commuting...)
	if t.float() {
		s.operate = "addf"
	}
	s.args = []*Value{g.use(index), g.use(index), g.use(i32)}
	if !t.float() {
		s.args[2] = g.use(t)
	}
	g.add(s, g.p.value(t))
}

// tallyCells is the size of a tally's memory; work-items beyond it set none to zero.
const tallyCells = 16
