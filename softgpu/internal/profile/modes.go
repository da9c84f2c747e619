package profile

import (
	"fmt"
	"strings"
)

// Modes select the parts of a profile.
type Modes struct {
	Counts   bool // instructions, bytes, conflicts, lanes, occupancy
	Fidelity bool // how results compare with a chip's, and which uses approximate ones reach
}

// Any reports whether a mode is set.
func (m Modes) Any() bool { return m.Counts || m.Fidelity }

// Words are the allowed words of a list of modes.
var Words = []string{"counts", "fidelity", "all", "off"}

// ParseModes reads a list of modes, as MGPU_PROFILE has it. Empty means none.
func ParseModes(list string) (m Modes, err error) {
	for word := range strings.SplitSeq(list, ",") {
		switch word = strings.TrimSpace(word); word {
		case "", "off":
		case "counts":
			m.Counts = true
		case "fidelity":
			m.Fidelity = true
		case "all":
			m = Modes{true, true}
		default:
			return Modes{}, fmt.Errorf("%q is not one of %s", word, strings.Join(Words, ", "))
		}
	}
	return m, nil
}
