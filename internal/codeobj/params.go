package codeobj

import (
	"fmt"
	"slices"
)

// Params returns, in order, the arguments that a program passes to the kernel name of an AMDGPU code object or offload
// bundle. It is not known here which code object of a bundle a driver will take, so all code objects that have the
// kernel must have the same layout of arguments.
func Params(image []byte, name string) ([]Arg, error) {
	objects := [][]byte{image}
	if entries, _, err := bundleEntries(imageSource(image)); err == nil {
		objects = nil
		for _, e := range entries {
			if e.forAMDGPU() && e.size != 0 && end(e.off, e.size) <= uint64(len(image)) {
				objects = append(objects, image[e.off:e.off+e.size])
			}
		}
	}
	var params []Arg
	found := false
	for _, object := range objects {
		o, err := Parse(object)
		if err != nil {
			return nil, err
		}
		k := o.Kernel(name)
		if k == nil {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(k.Args), func(a Arg) bool { return a.Hidden() })
		if found && !slices.EqualFunc(params, own, func(a, b Arg) bool { return a.Offset == b.Offset && a.Size == b.Size }) {
			return nil, fmt.Errorf("kernel %s has arguments of other sizes for other chips", name)
		}
		params, found = own, true
	}
	if !found {
		return nil, fmt.Errorf("no code object has a kernel %s", name)
	}
	return params, nil
}
