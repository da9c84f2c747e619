package wave

// Meanings of scalar instructions. Their functions return the result and set
// SCC through the wave where the instruction does.

// SetSCC sets the scalar condition code.
func (w *Wave) SetSCC(b bool) {
	w.SCC = 0
	if b {
		w.SCC = 1
	}
}
