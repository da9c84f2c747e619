package encoding

import "strings"

// Target is the offset in the text to which a branch goes; ok is false for other instructions.
func (i *Inst) Target() (off uint32, ok bool) {
	if i.Row == nil || i.Row.Do == nil {
		return 0, false
	}
	switch n := i.Row.Kin(); {
	case n == "s_branch", n == "s_call_b64", strings.HasPrefix(n, "s_cbranch_"), strings.HasPrefix(n, "s_subvector_loop_"):
		return i.Offset + uint32(i.Size) + 4*uint32(int32(int16(i.Imm))), true
	}
	return 0, false
}
