package codeobj

import "strings"

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
		if _, triple, _ := strings.Cut(e.id, "-"); strings.HasPrefix(triple, "amdgcn-") {
			all = append(all, ParseTarget(triple).String())
		}
	}
	return all
}
