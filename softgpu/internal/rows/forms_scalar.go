package rows

import "github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"

// The forms of scalar instructions, named as the vector ones.
var (
	sop21_11       = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{operand(1, encoding.AtSsrc0), operand(1, encoding.AtSsrc1)}}
	sop22_22       = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Src: [4]encoding.Slot{operand(2, encoding.AtSsrc0), operand(2, encoding.AtSsrc1)}}
	sop22_21       = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Src: [4]encoding.Slot{operand(2, encoding.AtSsrc0), operand(1, encoding.AtSsrc1)}}
	sop22_11       = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Src: [4]encoding.Slot{operand(1, encoding.AtSsrc0), operand(1, encoding.AtSsrc1)}}
	sop2_22        = encoding.Form{Src: [4]encoding.Slot{operand(2, encoding.AtSsrc0), operand(2, encoding.AtSsrc1)}}
	sop2_21        = encoding.Form{Src: [4]encoding.Slot{operand(2, encoding.AtSsrc0), operand(1, encoding.AtSsrc1)}}
	sop11_1        = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{operand(1, encoding.AtSsrc0)}}
	sop12_2        = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Src: [4]encoding.Slot{operand(2, encoding.AtSsrc0)}}
	sop11_2        = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{operand(2, encoding.AtSsrc0)}}
	sop12_1        = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Src: [4]encoding.Slot{operand(1, encoding.AtSsrc0)}}
	sop12          = encoding.Form{Dst: sgprs(2, encoding.AtSdst)}
	sop1_R2        = encoding.Form{Src: [4]encoding.Slot{{Class: encoding.SGPROnly, Width: 2, Type: encoding.Bits64, Mods: encoding.NoMods, Place: encoding.AtSsrc0}}}
	sop1_1         = encoding.Form{Src: [4]encoding.Slot{operand(1, encoding.AtSsrc0)}}
	sop1_R1        = encoding.Form{Src: [4]encoding.Slot{{Class: encoding.SGPROnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.AtSsrc0}}}
	sop11_R1       = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Src: [4]encoding.Slot{{Class: encoding.SGPROnly, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.AtSsrc0}}}
	sop12_R2       = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Src: [4]encoding.Slot{{Class: encoding.SGPROnly, Width: 2, Type: encoding.Bits64, Mods: encoding.NoMods, Place: encoding.AtSsrc0}}}
	sopc_11        = encoding.Form{Src: [4]encoding.Slot{operand(1, encoding.AtSsrc0), operand(1, encoding.AtSsrc1)}}
	sopc_1Idx      = encoding.Form{Src: [4]encoding.Slot{operand(1, encoding.AtSsrc0)}, Imm: encoding.ImmGprIdx}
	sopk1          = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Imm: encoding.ImmHex}
	sopk_1         = encoding.Form{Src: [4]encoding.Slot{sgprs(1, encoding.AtSdst)}, Imm: encoding.ImmHex}
	sopkFork       = encoding.Form{Src: [4]encoding.Slot{sgprs(2, encoding.AtSdst)}, Imm: encoding.ImmBranch}
	sopkGet        = encoding.Form{Dst: sgprs(1, encoding.AtSdst), Imm: encoding.ImmHwreg}
	sopkSet        = encoding.Form{Src: [4]encoding.Slot{sgprs(1, encoding.AtSdst)}, Imm: encoding.ImmHwreg}
	sopkSetImm     = encoding.Form{Src: [4]encoding.Slot{{Class: encoding.LitK, Width: 1, Type: encoding.Bits32, Mods: encoding.NoMods, Place: encoding.Implied}}, Imm: encoding.ImmHwreg}
	sopkCall       = encoding.Form{Dst: sgprs(2, encoding.AtSdst), Imm: encoding.ImmBranch}
	soppDec        = encoding.Form{Imm: encoding.ImmDec}
	soppDecNonzero = encoding.Form{Imm: encoding.ImmDecNonzero}
	soppBranch     = encoding.Form{Imm: encoding.ImmBranch}
	soppZero       = encoding.Form{Imm: encoding.ImmZero}
	soppWaitcnt    = encoding.Form{Imm: encoding.ImmWaitcnt}
	soppSendmsg    = encoding.Form{Imm: encoding.ImmSendmsg}
	soppGprIdx     = encoding.Form{Imm: encoding.ImmGprIdx}

	smemLoad1_2      = encoding.Form{Dst: sgprs(1, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad2_2      = encoding.Form{Dst: sgprs(2, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad4_2      = encoding.Form{Dst: sgprs(4, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad8_2      = encoding.Form{Dst: sgprs(8, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad16_2     = encoding.Form{Dst: sgprs(16, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad1_4      = encoding.Form{Dst: sgprs(1, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad2_4      = encoding.Form{Dst: sgprs(2, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad4_4      = encoding.Form{Dst: sgprs(4, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad8_4      = encoding.Form{Dst: sgprs(8, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemLoad16_4     = encoding.Form{Dst: sgprs(16, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemStore1_2     = encoding.Form{Src: [4]encoding.Slot{sgprs(1, encoding.AtSdata), sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemStore2_2     = encoding.Form{Src: [4]encoding.Slot{sgprs(2, encoding.AtSdata), sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemStore4_2     = encoding.Form{Src: [4]encoding.Slot{sgprs(4, encoding.AtSdata), sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemStore1_4     = encoding.Form{Src: [4]encoding.Slot{sgprs(1, encoding.AtSdata), sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemStore2_4     = encoding.Form{Src: [4]encoding.Slot{sgprs(2, encoding.AtSdata), sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemStore4_4     = encoding.Form{Src: [4]encoding.Slot{sgprs(4, encoding.AtSdata), sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemNone         = encoding.Form{}
	smemTime         = encoding.Form{Dst: sgprs(2, encoding.AtSdata)}
	smemProbe_2      = encoding.Form{Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.ProbeKind}
	smemProbe_4      = encoding.Form{Src: [4]encoding.Slot{sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.ProbeKind}
	smemDiscard      = encoding.Form{Src: [4]encoding.Slot{sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset}
	smemAtomic1_4    = encoding.Form{Dst: sgprs(1, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(1, encoding.AtSdata), sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
	smemAtomicCmp1_4 = encoding.Form{Dst: sgprs(1, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSdata), sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
	smemAtomic2_4    = encoding.Form{Dst: sgprs(2, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSdata), sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
	smemAtomicCmp2_4 = encoding.Form{Dst: sgprs(2, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSdata), sgprs(4, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
	smemAtomic1_2    = encoding.Form{Dst: sgprs(1, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(1, encoding.AtSdata), sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
	smemAtomicCmp1_2 = encoding.Form{Dst: sgprs(1, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSdata), sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
	smemAtomic2_2    = encoding.Form{Dst: sgprs(2, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(2, encoding.AtSdata), sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
	smemAtomicCmp2_2 = encoding.Form{Dst: sgprs(2, encoding.AtSdata), Src: [4]encoding.Slot{sgprs(4, encoding.AtSdata), sgprs(2, encoding.AtSbase), sgprs(1, encoding.AtSoffset)}, Flags: encoding.HasOffset | encoding.Atomic}
)
