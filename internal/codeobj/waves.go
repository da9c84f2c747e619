package codeobj

// Wave32 reports whether some kernel of the object is for waves of 32.
func (o *Object) Wave32() bool {
	for n := range o.Kernels {
		if o.Kernels[n].Descriptor.Wavefront32 {
			return true
		}
	}
	return false
}
