package wave

// Value returns a lane's value in one or two registers.
func (r Registers) Value(w *Wave, lane, words int) uint64 {
	v := uint64(r.Of(w, 0)[lane])
	if words == 2 {
		v |= uint64(r.Of(w, 1)[lane]) << 32
	}
	return v
}
