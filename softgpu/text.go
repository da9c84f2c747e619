package softgpu

import (
	"fmt"
	"iter"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/rows"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/waits"
)

// Instruction is an instruction of a code object's text, or a word that is not one.
type Instruction struct {
	Address    uint64
	Name       string // mnemonic
	Executable bool   // false: kernels that reach it are refused
	Err        error  // why the word at Address is not an instruction
	decoded    encoding.Inst
}

// Text returns LLVM's assembly.
func (i *Instruction) Text() string { return i.decoded.String() }

// Disassemble decodes a code object's text from its first word to its last. It returns an error if the software GPU
// does not know the chip.
func Disassemble(o *codeobj.Object) (iter.Seq[Instruction], error) {
	chip, err := encoding.ParseChip(o.Chip)
	if err != nil {
		return nil, err
	}
	chip = chip.InWaves(o.Wave32())
	return func(yield func(Instruction) bool) {
		var high encoding.HighBits
		for off := uint32(0); uint64(off) < uint64(len(o.Text.Bytes)); {
			i := Instruction{Address: o.Text.Addr + uint64(off)}
			in, err := rows.Decode(o.Text.Bytes, off, chip)
			if err != nil {
				i.Err = err
				off += 4
			} else {
				high.Raise(&in)
				high = high.After(&in)
				i.decoded, i.Name, i.Executable = in, in.Row.Name, rows.Executable(&in)
				off += uint32(in.Size)
			}
			if !yield(i) {
				return
			}
		}
	}, nil
}

// MissingWait is an instruction that uses a register which an instruction in progress may write.
type MissingWait struct {
	Address, Under uint64 // of the instruction, and of the one in progress
	What           string // "v2 is read by `v_add_f32 v1, v2, v3`"
	UnderWay       string // text of the one in progress
	Needs          string // the missing wait
}

// MissingWaits finds missing waits in a code object, along all paths through its functions and without running them. It
// returns an error if the software GPU does not know the chip.
func MissingWaits(o *codeobj.Object) ([]MissingWait, error) {
	chip, err := encoding.ParseChip(o.Chip)
	if err != nil {
		return nil, err
	}
	chip = chip.InWaves(o.Wave32())
	var entries []uint32
	for _, f := range o.Functions() {
		entries = append(entries, uint32(f.Start-o.Text.Addr))
	}
	text := func(at uint32, high encoding.HighBits) string {
		i, err := rows.Decode(o.Text.Bytes, at, chip)
		if err != nil {
			return err.Error()
		}
		high.Raise(&i)
		return i.String()
	}
	var all []MissingWait
	for _, m := range waits.Find(o.Text.Bytes, entries, chip) {
		use := "read"
		if m.Overwritten {
			use = "overwritten"
		}
		name := m.Register.String()
		if chip.RDNA() {
			name = m.Register.NameInRDNA()
		}
		all = append(all, MissingWait{
			Address: o.Text.Addr + uint64(m.At), Under: o.Text.Addr + uint64(m.Under),
			What:     fmt.Sprintf("%s is %s by `%s`", name, use, text(m.At, m.High[0])),
			UnderWay: text(m.Under, m.High[1]), Needs: m.Needs,
		})
	}
	return all, nil
}
