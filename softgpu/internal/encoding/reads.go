package encoding

// ReadsVector reports whether one of count vector registers from reg on is among the sources.
func (i *Inst) ReadsVector(reg, count int) bool {
	for n := range i.Src {
		if o := &i.Src[n]; o.Kind == VReg && int(o.Reg) < reg+count && reg < int(o.Reg)+int(max(o.Width, 1)) {
			return true
		}
	}
	return false
}
