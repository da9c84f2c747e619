package encoding

// policyKind tells how TH is spelt.
type policyKind uint8

const (
	policyLoad policyKind = iota
	policyStore
	policyAtomic
)

var policyNames = [3][8]string{
	policyLoad:   {1: "TH_LOAD_NT", "TH_LOAD_HT", "TH_LOAD_LU", "TH_LOAD_NT_RT", "TH_LOAD_RT_NT", "TH_LOAD_NT_HT", "0x7"},
	policyStore:  {1: "TH_STORE_NT", "TH_STORE_HT", "TH_STORE_WB", "TH_STORE_NT_RT", "TH_STORE_RT_NT", "TH_STORE_NT_HT", "TH_STORE_NT_WB"},
	policyAtomic: {1: "TH_ATOMIC_RETURN", "TH_ATOMIC_NT", "TH_ATOMIC_NT_RETURN", "TH_ATOMIC_0x4", "TH_ATOMIC_0x5", "TH_ATOMIC_0x6", "TH_ATOMIC_0x7"},
}

var scopeNames = [4]string{1: "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"}

const (
	scopeDevice = 2
	scopeSystem = 3
)

// policy12 prints how an access uses the caches.
func (p *printer) policy12() {
	i, f := p.inst, p.form
	kind := policyLoad
	switch {
	case f.Has(Atomic):
		kind = policyAtomic
	case i.Enc == MUBUF || i.Enc == MTBUF:
		if f.Dst.Class == NoSlot {
			kind = policyStore
		}
	case f.Dst.Class == NoSlot && i.Enc != SMEM && f.Flags&(CachePolicy|LoadPolicy) == 0:
		kind = policyStore
	}
	p.flag(i.ScaleOffset, "scale_offset")
	name := policyNames[kind][i.TH&7]
	switch {
	case kind != policyAtomic && i.TH == 3 && i.Scope == scopeSystem:
		name = [2]string{"TH_LOAD_BYPASS", "TH_STORE_BYPASS"}[kind]
	case kind == policyAtomic && i.TH >= 4 && i.Scope >= scopeDevice:
		name = "TH_ATOMIC_CASCADE_" + [2]string{"RT", "NT"}[i.TH>>1&1]
	}
	if name != "" {
		p.text(" th:")
		p.text(name)
	}
	if i.Scope != 0 {
		p.text(" scope:")
		p.text(scopeNames[i.Scope&3])
	}
	p.flag(i.NV, "nv")
}

func (p *printer) smem12() {
	if p.form.Has(Prefetch) {
		p.prefetch()
		return
	}
	if p.form.Has(HasOffset) {
		p.smemOffset()
		p.policy12()
	}
}

// prefetch prints a distance, a register and a length.
func (p *printer) prefetch() {
	i, f := p.inst, p.form
	p.next()
	p.signedHex(int64(i.Imm))
	p.next()
	if i.OffEn {
		for n := range f.Src {
			if f.Src[n].Place == AtSoffset {
				p.operand(&i.Src[n], &f.Src[n])
			}
		}
	} else {
		p.text("null")
	}
	p.next()
	p.number(int64(i.Extra >> 1 & 31))
}

func (p *printer) flat12() {
	if !p.form.Has(CachePolicy) {
		p.labelled("offset", int64(p.inst.Imm))
	}
	p.policy12()
}

func (p *printer) buffer12() {
	p.bufferFormat()
	i := p.inst
	p.flag(i.IdxEn, "idxen")
	p.flag(i.OffEn, "offen")
	p.labelled("offset", int64(i.Imm))
	p.policy12()
	p.flag(i.TFE, "tfe")
}

var hwregNames12 = [64]string{
	1: "WAVE_MODE", 2: "WAVE_STATUS", 4: "WAVE_STATE_PRIV", 5: "WAVE_GPR_ALLOC", 6: "WAVE_LDS_ALLOC", 7: "IB_STS",
	10: "PERF_SNAPSHOT_DATA", 11: "PERF_SNAPSHOT_PC_LO", 12: "PERF_SNAPSHOT_PC_HI", 15: "PERF_SNAPSHOT_DATA1", 16: "PERF_SNAPSHOT_DATA2",
	17: "WAVE_EXCP_FLAG_PRIV", 18: "WAVE_EXCP_FLAG_USER", 19: "WAVE_TRAP_CTRL", 20: "WAVE_SCRATCH_BASE_LO", 21: "WAVE_SCRATCH_BASE_HI",
	23: "WAVE_HW_ID1", 24: "WAVE_HW_ID2", 26: "WAVE_SCHED_MODE", 29: "SHADER_CYCLES_LO", 30: "SHADER_CYCLES_HI",
	31: "WAVE_DVGPR_ALLOC_LO", 32: "WAVE_DVGPR_ALLOC_HI",
}
