package encoding

import "math/bits"

// What s_delay_alu names: the instruction waited for, and how many to skip before the second one.
var (
	delayIDs = [12]string{
		1: "VALU_DEP_1", "VALU_DEP_2", "VALU_DEP_3", "VALU_DEP_4", "TRANS32_DEP_1", "TRANS32_DEP_2", "TRANS32_DEP_3",
		"FMA_ACCUM_CYCLE_1", "SALU_CYCLE_1", "SALU_CYCLE_2", "SALU_CYCLE_3",
	}
	delaySkips = [6]string{1: "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"}
)

// delay prints the immediate of s_delay_alu. A value that has no name is printed as its number.
func (p *printer) delay(v uint32) {
	p.next()
	fields := []struct {
		name  string
		value uint32
		names []string
	}{{"instid0", v & 15, delayIDs[:]}, {"instskip", v >> 4 & 7, delaySkips[:]}, {"instid1", v >> 7 & 15, delayIDs[:]}}
	first := true
	for _, f := range fields {
		if f.value == 0 {
			continue
		}
		if !first {
			p.text(" | ")
		}
		first = false
		p.text(f.name)
		p.text("(")
		if int(f.value) < len(f.names) {
			p.text(f.names[f.value])
		} else {
			p.number(int64(f.value))
		}
		p.text(")")
	}
	if first {
		p.text("0")
	}
}

// version prints the chip that s_version names, and the size of its waves.
func (p *printer) version(v uint32) {
	marks := [...]string{"UC_VERSION_W64_BIT", "UC_VERSION_W32_BIT", "UC_VERSION_MDP_BIT"}
	const first = 13 // bit of the first of them
	if v&^(1<<16-1<<first|0xff) != 0 {
		p.hex(uint64(v))
		return
	}
	count := bits.OnesCount32(v >> first)
	for n := 1; n < count; n++ {
		p.text("(")
	}
	switch v & 0xff {
	case 0:
		p.text("UC_VERSION_GFX7")
	case 4:
		p.text("UC_VERSION_GFX10")
	case 6:
		p.text("UC_VERSION_GFX11")
	case 9:
		p.text("UC_VERSION_GFX12")
	default:
		p.number(int64(v & 0xff))
	}
	for n, mark := range marks {
		if v>>(first+n)&1 != 0 {
			p.text("|")
			p.text(mark)
			if count--; count > 0 {
				p.text(")")
			}
		}
	}
}

// depctr prints the counters that s_waitcnt_depctr waits for, or all where there is none.
func (p *printer) depctr(v uint32) {
	const none = 0xff9f // all fields at their highest
	if v&^none != 0 {
		p.next()
		p.hex(uint64(v))
		return
	}
	for _, f := range [...]struct {
		name        string
		shift, bits uint
	}{{"hold_cnt", 7, 1}, {"sa_sdst", 0, 1}, {"va_vdst", 12, 4}, {"va_sdst", 9, 3}, {"va_ssrc", 8, 1}, {"va_vcc", 1, 1}, {"vm_vsrc", 2, 3}} {
		most := uint32(1)<<f.bits - 1
		if n := v >> f.shift & most; n != most || v == none {
			p.text(" depctr_")
			p.text(f.name)
			p.text("(")
			p.number(int64(n))
			p.text(")")
		}
	}
}

var messages11 = map[uint32]string{
	1: "MSG_INTERRUPT", 2: "MSG_HS_TESSFACTOR", 3: "MSG_DEALLOC_VGPRS", 5: "MSG_STALL_WAVE_GEN", 6: "MSG_HALT_WAVES", 9: "MSG_GS_ALLOC_REQ",
	MsgGetDoorbell: "MSG_RTN_GET_DOORBELL", 0x81: "MSG_RTN_GET_DDID", 0x82: "MSG_RTN_GET_TMA", MsgGetRealtime: "MSG_RTN_GET_REALTIME",
	0x84: "MSG_RTN_SAVE_WAVE", 0x85: "MSG_RTN_GET_TBA", 0x86: "MSG_RTN_GET_TBA_TO_PC",
}

// sendmsg11 prints a message of GFX11: one number.
func (p *printer) sendmsg11(v uint32) {
	name := messages11[v&0xff]
	if p.set >= GFX12 {
		switch v & 0xff {
		case 5, 6:
			name = ""
		case 0x87:
			name = "MSG_RTN_GET_SE_AID_ID"
		}
	}
	if p.set == GFX1250 {
		switch v & 0xff {
		case 10:
			name = "MSG_SAVEWAVE_HAS_TDM"
		case 0x88:
			name = "MSG_RTN_GET_CLUSTER_BARRIER_STATE"
		}
	}
	switch {
	case name == "" && v > 0xff:
		p.number(int64(v))
	case name != "":
		p.text("sendmsg(")
		p.text(name)
		p.text(")")
	default:
		p.text("sendmsg(")
		p.number(int64(v))
		p.text(", 0, 0)")
	}
}

var hwregNames10 = [64]string{
	1: "MODE", 2: "STATUS", 3: "TRAPSTS", 5: "GPR_ALLOC", 6: "LDS_ALLOC", 7: "IB_STS", 15: "SH_MEM_BASES",
	16: "TBA_LO", 17: "TBA_HI", 18: "TMA_LO", 19: "TMA_HI", 20: "FLAT_SCR_LO", 21: "FLAT_SCR_HI", 23: "HW_ID1", 24: "HW_ID2",
	25: "POPS_PACKER", 29: "SHADER_CYCLES",
}

var hwregNames11 = [64]string{
	1: "MODE", 2: "STATUS", 3: "TRAPSTS", 5: "GPR_ALLOC", 6: "LDS_ALLOC", 7: "IB_STS", 15: "SH_MEM_BASES",
	18: "PERF_SNAPSHOT_PC_LO", 19: "PERF_SNAPSHOT_PC_HI", 20: "FLAT_SCR_LO", 21: "FLAT_SCR_HI", 23: "HW_ID1", 24: "HW_ID2",
	27: "PERF_SNAPSHOT_DATA", 29: "SHADER_CYCLES",
}
