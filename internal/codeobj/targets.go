package codeobj

// Targets lists what an image has code for: the chip, with its features, of an
// AMDGPU code object, or of each entry of an offload bundle that is for one. It
// is nil where image is neither, or can't be read.
func Targets(image []byte) []string {
	if o, err := Parse(image); err == nil {
		return []string{o.ID.String()}
	}
	entries, _, err := bundleEntries(imageSource(image))
	if err != nil {
		return nil
	}
	var all []string
	for _, e := range entries {
		if e.forAMDGPU() {
			all = append(all, ParseTarget(e.triple()).String())
		}
	}
	return all
}
