package codeobj

// Wave32 reports whether the object has a kernel for waves of 32.
func (o *Object) Wave32() bool {
	for n := range o.Kernels {
		if o.Kernels[n].Descriptor.Wavefront32 {
			return true
		}
	}
	return false
}
