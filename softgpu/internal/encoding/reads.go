package encoding

// ReadsVector tells whether a vector register is among the sources.
func (i *Inst) ReadsVector(reg int) bool {
	for n := range i.Src {
		if o := &i.Src[n]; o.Kind == VReg && int(o.Reg) == reg {
			return true
		}
	}
	return false
}
