package encoding

// Fidelity tells how an instruction's results compare with a chip's. It belongs to a row. A row
// without one is exact: integers, moves, and arithmetic that IEEE 754 defines to the bit.
type Fidelity struct {
	Standing Standing
	On       Chips  // of Measured: the chips that were measured. On others the result is Inferred
	Bound    string // of Approximate: how far a chip's result may be from this one
	Source   string // document or measurement
	Note     string // further text for a report; may be empty
}

// Standing is how results compare with a chip's.
type Standing uint8

// The standings, the best first.
const (
	Exact       Standing = iota // to the bit, by definition
	Measured                    // to the bit, by a published measurement of the chip
	Inferred                    // as measured on another chip, or for a like instruction
	Manual                      // as AMD's manual says
	Approximate                 // correctly rounded here; a chip's may differ, within a bound
	Unlike                      // clocks and places: a value that no chip gives
)

var standingNames = [...]string{"exact", "measured", "inferred", "manual", "approximate", "unlike"}

// String is the word that reports have.
func (s Standing) String() string { return standingNames[s] }

// StandingOn is the row's on a chip.
func (r *Row) StandingOn(c Chip) Standing {
	switch f := r.Fidelity; {
	case f == nil:
		return Exact
	case f.Standing == Measured && (f.On == 0 || !f.On.Has(c)):
		return Inferred
	default:
		return f.Standing
	}
}
