package rows

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// Decode decodes the instruction at code[off:] as the chip would. off is in
// bytes and becomes Inst.Offset; an instruction is 4, 8, 12 or 16 bytes long, literal
// included. The error tells what is wrong: a number that no row has, a field
// with a reserved value, or code that ends too early. Decode reads nothing but
// code and never panics.
//
// Operands stand where the row's Form puts them, implied ones (vcc of carries
// and compares) included. An absent operand is the zero Operand: an address of
// buffer and scratch instructions that is off, and the destination of an
// atomic that returns nothing. What is Const with Code 255 is a literal.
func Decode(code []byte, off uint32, chip encoding.Chip) (encoding.Inst, error) {
	var i encoding.Inst
	if chip.Model() >= encoding.NumChips {
		return i, fmt.Errorf("gcn: %v is not a known chip", chip)
	}
	if err := tableOf(chip).Decode(&i, code, off, chip); err != nil {
		return encoding.Inst{}, err
	}
	return i, nil
}
