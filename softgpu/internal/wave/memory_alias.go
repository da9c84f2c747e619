package wave

// Aliaser is a Memory in which some host memory also has other addresses.
type Aliaser interface {
	Memory
	// Alias returns the range around addr whose host memory begins at host. ok is false if addr is not an alias, or one
	// that may not be written.
	Alias(addr uint64, write bool) (lo, hi, host uint64, ok bool)
}

// alias is a range of aliases. The host's address is the alias plus by.
type alias struct {
	window
	by uint64
}

// aliases are the aliases found last.
type aliases struct{ read, written alias }

func (a *aliases) of(write bool) *alias {
	if write {
		return &a.written
	}
	return &a.read
}

// Locate returns the host's address of size bytes at addr that may be accessed.
func (w *Wave) Locate(addr, size uint64, write bool) (host uint64, ok bool) {
	last := w.aliases.of(write)
	if last.holds(addr, size) {
		return addr + last.by, true
	}
	if w.Reach(addr, size, write) {
		return addr, true
	}
	mem, ok := w.Mem.(Aliaser)
	if !ok {
		return 0, false
	}
	lo, hi, host, ok := mem.Alias(addr, write)
	if !ok || !(window{lo, hi}).holds(addr, size) {
		return 0, false
	}
	*last = alias{window{lo, hi}, host - lo}
	return addr + last.by, true
}
