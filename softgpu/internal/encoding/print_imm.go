package encoding

import "github.com/mgpu-runtime/mgpu/softgpu/internal/wave"

// immediate prints the 16-bit immediate of a scalar instruction.
func (p *printer) immediate() {
	i := p.inst
	v := uint32(i.Imm) & 0xffff
	switch p.form.Imm {
	case ImmHex:
		p.next()
		p.hex(uint64(v))
	case ImmDecNonzero:
		if v != 0 {
			p.next()
			p.number(int64(v))
		}
	case ImmBranch:
		p.next()
		p.number(int64(v))
	case ImmDec:
		p.next()
		p.small(v)
	case ImmWaitcnt:
		p.waitcnt(v)
	case ImmSendmsg:
		p.next()
		if p.set <= GFX10 {
			p.sendmsg(v)
		} else {
			p.sendmsg11(v)
		}
	case ImmVersion:
		p.next()
		p.version(v)
	case ImmDelay:
		p.delay(v)
	case ImmDepctr:
		p.depctr(v)
	case ImmMessage:
		p.next()
		p.sendmsg11(v)
	case ImmGprIdx:
		p.next()
		p.gprIdx(v)
	case ImmHwreg:
		if p.form.Dst.Class != NoSlot {
			p.next()
			p.hwreg()
		}
	}
}

// small prints a number, in decimal where it could be an inline constant.
func (p *printer) small(v uint32) {
	if v <= maxInline {
		p.number(int64(v))
		return
	}
	p.hex(uint64(v))
}

// digits prints a number, in decimal up to 10.
func (p *printer) digits(v uint32) {
	if v <= 10 {
		p.number(int64(v))
		return
	}
	p.hex(uint64(v))
}

// waitcnt prints the counters that are waited for, or all where there is none.
func (p *printer) waitcnt(v uint32) {
	n := p.set.Waits(v)
	counters := [...]struct {
		name       string
		value, max uint32
	}{{"vmcnt", n.Vector, wave.MostVector}, {"expcnt", n.Export, 7}, {"lgkmcnt", n.Workgroup, p.set.Facts().MostWorkgroup}}
	any := false
	for _, c := range counters {
		any = any || c.value != c.max
	}
	for _, c := range counters {
		if c.value != c.max || !any {
			p.flag(true, c.name)
			p.text("(")
			p.number(int64(c.value))
			p.text(")")
		}
	}
}

// message is a message that s_sendmsg knows.
type message struct {
	name   string
	ops    []string // by number; "": not one
	stream uint32   // first operation that has a stream; 0: none has
}

var gsOps = []string{1: "GS_OP_CUT", 2: "GS_OP_EMIT", 3: "GS_OP_EMIT_CUT"}

var messages = [16]message{
	1:  {name: "MSG_INTERRUPT"},
	2:  {name: "MSG_GS", ops: gsOps, stream: 1},
	3:  {name: "MSG_GS_DONE", ops: append([]string{"GS_OP_NOP"}, gsOps[1:]...), stream: 1},
	4:  {name: "MSG_SAVEWAVE"},
	5:  {name: "MSG_STALL_WAVE_GEN"},
	6:  {name: "MSG_HALT_WAVES"},
	7:  {name: "MSG_ORDERED_PS_DONE"},
	8:  {name: "MSG_EARLY_PRIM_DEALLOC"},
	9:  {name: "MSG_GS_ALLOC_REQ"},
	10: {name: "MSG_GET_DOORBELL"},
	15: {name: "MSG_SYSMSG", ops: []string{1: "SYSMSG_OP_ECC_ERR_INTERRUPT", 2: "SYSMSG_OP_REG_RD", 4: "SYSMSG_OP_TTRACE_PC"}},
}

func (p *printer) sendmsg(v uint32) {
	id, op, stream := v&15, v>>4&7, v>>8&3
	m := &messages[id]
	if p.set == GFX10 && id == 11 {
		m = &message{name: "MSG_GET_DDID"}
	}
	known := m.name != ""
	if m.ops == nil {
		known = known && op == 0
	} else {
		known = known && op < uint32(len(m.ops)) && m.ops[op] != ""
	}
	streams := m.stream != 0 && op >= m.stream
	known = known && (streams || stream == 0)
	switch {
	case known:
		p.text("sendmsg(")
		p.text(m.name)
		if m.ops != nil {
			p.text(", ")
			p.text(m.ops[op])
		}
		if streams {
			p.text(", ")
			p.number(int64(stream))
		}
		p.text(")")
	case id|op<<4|stream<<8 == v:
		p.text("sendmsg(")
		for n, x := range [...]uint32{id, op, stream} {
			if n > 0 {
				p.text(", ")
			}
			p.number(int64(x))
		}
		p.text(")")
	default:
		p.number(int64(v))
	}
}

var hwregNames = [64]string{
	1: "MODE", 2: "STATUS", 3: "TRAPSTS", 4: "HW_ID", 5: "GPR_ALLOC", 6: "LDS_ALLOC", 7: "IB_STS",
	15: "SH_MEM_BASES", 16: "TBA_LO", 17: "TBA_HI", 18: "TMA_LO", 19: "TMA_HI",
}

// firstOfGfx942 is the first hardware register that gfx942 has added.
const firstOfGfx942 = 20

var hwregNames942 = [64 - firstOfGfx942]string{
	"XCC_ID", "SQ_PERF_SNAPSHOT_DATA", "SQ_PERF_SNAPSHOT_DATA1", "SQ_PERF_SNAPSHOT_PC_LO", "SQ_PERF_SNAPSHOT_PC_HI",
}

// hwreg prints the hardware register that s_getreg and s_setreg name, and which bits of it.
func (p *printer) hwreg() {
	v := uint32(p.inst.Imm) & 0xffff
	id, first, size := v&63, v>>6&31, v>>11&31+1
	p.text("hwreg(")
	name := hwregNames[id]
	switch p.set {
	case GFX10:
		name = hwregNames10[id]
	case GFX12:
		name = hwregNames12[id]
	case GFX1250:
		name = hwregNames12[id]
		if young := hwregNames1250[id]; young != "" {
			name = young
		}
	case GFX11:
		name = hwregNames11[id]
	}
	if p.inst.Chip.AtLeast(Gfx942) && id >= firstOfGfx942 {
		name = hwregNames942[id-firstOfGfx942]
	}
	if name != "" {
		p.text("HW_REG_")
		p.text(name)
	} else {
		p.number(int64(id))
	}
	if first != 0 || size != 32 {
		p.text(", ")
		p.number(int64(first))
		p.text(", ")
		p.number(int64(size))
	}
	p.text(")")
}

var gprIdxNames = [4]string{"SRC0", "SRC1", "SRC2", "DST"}

func (p *printer) gprIdx(v uint32) {
	if v > 15 {
		p.hex(uint64(v))
		return
	}
	p.text("gpr_idx(")
	first := true
	for n, name := range gprIdxNames {
		if v>>n&1 == 0 {
			continue
		}
		if !first {
			p.text(",")
		}
		first = false
		p.text(name)
	}
	p.text(")")
}
