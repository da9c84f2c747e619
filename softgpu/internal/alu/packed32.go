package alu

// CopyLanes copies a to d.
func CopyLanes(d, a *Lanes) { *d = *a }
