package wave

// SetSCC sets the scalar condition code.
func (w *Wave) SetSCC(b bool) {
	w.SCC = 0
	if b {
		w.SCC = 1
	}
}
