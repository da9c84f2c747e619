package codeobj

// Targets returns the chips, with features, for which an image has code: of an AMDGPU code object, or of each entry of
// an offload bundle. It returns nil if image is neither, or can't be read.
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
