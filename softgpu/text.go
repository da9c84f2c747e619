package softgpu

import (
	"iter"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
)

// Instruction is one of a code object's text, or a word that is none.
type Instruction struct {
	Address    uint64
	Name       string // mnemonic
	Executable bool   // false: kernels that reach it are refused
	Err        error  // why the word at Address is no instruction
	decoded    encoding.Inst
}

// Text is LLVM's assembly.
func (i *Instruction) Text() string { return i.decoded.String() }

// Disassemble decodes a code object's text from its first word to its last. The error says that
// the software GPU does not know the chip.
func Disassemble(o *codeobj.Object) (iter.Seq[Instruction], error) {
	chip, err := encoding.ParseChip(o.Chip)
	if err != nil {
		return nil, err
	}
	return func(yield func(Instruction) bool) {
		for off := uint32(0); uint64(off) < uint64(len(o.Text.Bytes)); {
			i := Instruction{Address: o.Text.Addr + uint64(off)}
			in, err := rows.Decode(o.Text.Bytes, off, chip)
			if err != nil {
				i.Err = err
				off += 4
			} else {
				i.decoded, i.Name, i.Executable = in, in.Row.Name, rows.Executable(&in)
				off += uint32(in.Size)
			}
			if !yield(i) {
				return
			}
		}
	}, nil
}
