package gcn

// The forms of scalar instructions, named as the vector ones.
var (
	sop21_11       = Form{Dst: sgprs(1, AtSdst), Src: [4]Slot{operand(1, AtSsrc0), operand(1, AtSsrc1)}}
	sop22_22       = Form{Dst: sgprs(2, AtSdst), Src: [4]Slot{operand(2, AtSsrc0), operand(2, AtSsrc1)}}
	sop22_21       = Form{Dst: sgprs(2, AtSdst), Src: [4]Slot{operand(2, AtSsrc0), operand(1, AtSsrc1)}}
	sop22_11       = Form{Dst: sgprs(2, AtSdst), Src: [4]Slot{operand(1, AtSsrc0), operand(1, AtSsrc1)}}
	sop2_22        = Form{Src: [4]Slot{operand(2, AtSsrc0), operand(2, AtSsrc1)}}
	sop2_21        = Form{Src: [4]Slot{operand(2, AtSsrc0), operand(1, AtSsrc1)}}
	sop11_1        = Form{Dst: sgprs(1, AtSdst), Src: [4]Slot{operand(1, AtSsrc0)}}
	sop12_2        = Form{Dst: sgprs(2, AtSdst), Src: [4]Slot{operand(2, AtSsrc0)}}
	sop11_2        = Form{Dst: sgprs(1, AtSdst), Src: [4]Slot{operand(2, AtSsrc0)}}
	sop12_1        = Form{Dst: sgprs(2, AtSdst), Src: [4]Slot{operand(1, AtSsrc0)}}
	sop12          = Form{Dst: sgprs(2, AtSdst)}
	sop1_R2        = Form{Src: [4]Slot{{SGPROnly, 2, Bits64, NoMods, AtSsrc0}}}
	sop1_1         = Form{Src: [4]Slot{operand(1, AtSsrc0)}}
	sop1_R1        = Form{Src: [4]Slot{{SGPROnly, 1, Bits32, NoMods, AtSsrc0}}}
	sop11_R1       = Form{Dst: sgprs(1, AtSdst), Src: [4]Slot{{SGPROnly, 1, Bits32, NoMods, AtSsrc0}}}
	sop12_R2       = Form{Dst: sgprs(2, AtSdst), Src: [4]Slot{{SGPROnly, 2, Bits64, NoMods, AtSsrc0}}}
	sopc_11        = Form{Src: [4]Slot{operand(1, AtSsrc0), operand(1, AtSsrc1)}}
	sopc_1Idx      = Form{Src: [4]Slot{operand(1, AtSsrc0)}, Imm: ImmGprIdx}
	sopk1          = Form{Dst: sgprs(1, AtSdst), Imm: ImmHex}
	sopk_1         = Form{Src: [4]Slot{sgprs(1, AtSdst)}, Imm: ImmHex}
	sopkFork       = Form{Src: [4]Slot{sgprs(2, AtSdst)}, Imm: ImmBranch}
	sopkGet        = Form{Dst: sgprs(1, AtSdst), Imm: ImmHwreg}
	sopkSet        = Form{Src: [4]Slot{sgprs(1, AtSdst)}, Imm: ImmHwreg}
	sopkSetImm     = Form{Src: [4]Slot{{LitK, 1, Bits32, NoMods, Implied}}, Imm: ImmHwreg}
	sopkCall       = Form{Dst: sgprs(2, AtSdst), Imm: ImmBranch}
	soppDec        = Form{Imm: ImmDec}
	soppDecNonzero = Form{Imm: ImmDecNonzero}
	soppBranch     = Form{Imm: ImmBranch}
	soppZero       = Form{Imm: ImmZero}
	soppWaitcnt    = Form{Imm: ImmWaitcnt}
	soppSendmsg    = Form{Imm: ImmSendmsg}
	soppGprIdx     = Form{Imm: ImmGprIdx}

	smemLoad1_2      = Form{Dst: sgprs(1, AtSdata), Src: [4]Slot{sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad2_2      = Form{Dst: sgprs(2, AtSdata), Src: [4]Slot{sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad4_2      = Form{Dst: sgprs(4, AtSdata), Src: [4]Slot{sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad8_2      = Form{Dst: sgprs(8, AtSdata), Src: [4]Slot{sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad16_2     = Form{Dst: sgprs(16, AtSdata), Src: [4]Slot{sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad1_4      = Form{Dst: sgprs(1, AtSdata), Src: [4]Slot{sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad2_4      = Form{Dst: sgprs(2, AtSdata), Src: [4]Slot{sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad4_4      = Form{Dst: sgprs(4, AtSdata), Src: [4]Slot{sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad8_4      = Form{Dst: sgprs(8, AtSdata), Src: [4]Slot{sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemLoad16_4     = Form{Dst: sgprs(16, AtSdata), Src: [4]Slot{sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemStore1_2     = Form{Src: [4]Slot{sgprs(1, AtSdata), sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemStore2_2     = Form{Src: [4]Slot{sgprs(2, AtSdata), sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemStore4_2     = Form{Src: [4]Slot{sgprs(4, AtSdata), sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemStore1_4     = Form{Src: [4]Slot{sgprs(1, AtSdata), sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemStore2_4     = Form{Src: [4]Slot{sgprs(2, AtSdata), sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemStore4_4     = Form{Src: [4]Slot{sgprs(4, AtSdata), sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemNone         = Form{}
	smemTime         = Form{Dst: sgprs(2, AtSdata)}
	smemProbe_2      = Form{Src: [4]Slot{sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | ProbeKind}
	smemProbe_4      = Form{Src: [4]Slot{sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | ProbeKind}
	smemDiscard      = Form{Src: [4]Slot{sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset}
	smemAtomic1_4    = Form{Dst: sgprs(1, AtSdata), Src: [4]Slot{sgprs(1, AtSdata), sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
	smemAtomicCmp1_4 = Form{Dst: sgprs(1, AtSdata), Src: [4]Slot{sgprs(2, AtSdata), sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
	smemAtomic2_4    = Form{Dst: sgprs(2, AtSdata), Src: [4]Slot{sgprs(2, AtSdata), sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
	smemAtomicCmp2_4 = Form{Dst: sgprs(2, AtSdata), Src: [4]Slot{sgprs(4, AtSdata), sgprs(4, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
	smemAtomic1_2    = Form{Dst: sgprs(1, AtSdata), Src: [4]Slot{sgprs(1, AtSdata), sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
	smemAtomicCmp1_2 = Form{Dst: sgprs(1, AtSdata), Src: [4]Slot{sgprs(2, AtSdata), sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
	smemAtomic2_2    = Form{Dst: sgprs(2, AtSdata), Src: [4]Slot{sgprs(2, AtSdata), sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
	smemAtomicCmp2_2 = Form{Dst: sgprs(2, AtSdata), Src: [4]Slot{sgprs(4, AtSdata), sgprs(2, AtSbase), sgprs(1, AtSoffset)}, Flags: HasOffset | Atomic}
)
