package disassembly

import (
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
)

// Forms are the encoding and the mnemonic of each instruction of a code object, as "VOP2_DPP<TAB>v_add_f32",
// in the order of the text.
func Forms(image []byte) ([]string, error) {
	obj, err := codeobj.Parse(image)
	if err != nil {
		return nil, err
	}
	chip, err := encoding.ParseChip(obj.ID.Processor)
	if err != nil {
		return nil, err
	}
	chip = chip.InWaves(obj.Wave32())
	var forms []string
	for at := uint32(0); int(at) < len(obj.Text.Bytes); {
		i, err := rows.Decode(obj.Text.Bytes, at, chip)
		if err != nil { // between functions
			at += 4
			continue
		}
		at += uint32(i.Size)
		name := i.Enc.String()
		for prefix, segment := range map[string]string{"global_": "GLOBAL", "scratch_": "SCRATCH"} {
			if i.Enc == encoding.FLAT && strings.HasPrefix(i.Row.Name, prefix) {
				name = segment
			}
		}
		name += [...]string{encoding.Plain: "", encoding.SDWA: "_SDWA", encoding.DPP: "_DPP", encoding.DPP8: "_DPP8"}[i.Suffix]
		forms = append(forms, name+"\t"+i.Row.Name)
	}
	return forms, nil
}
