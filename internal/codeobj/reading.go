package codeobj

import "fmt"

// Reading is an image that is read for several purposes. Each of its AMDGPU code objects is parsed once. It is for one
// thread at a time.
type Reading struct {
	Image []byte
	Kind  Kind

	parse  func(image []byte) (*Object, error)
	parsed map[place]parsed
}

// place is the position of a code object.
type place struct {
	first  *byte
	length int
}

type parsed struct {
	object *Object
	err    error
}

// Read begins to read an image, which must not change.
func Read(image []byte) *Reading {
	kind, _ := KindOf(image)
	return reading(kind, image)
}

func reading(kind Kind, image []byte) *Reading {
	return &Reading{Image: image, Kind: kind, parse: Parse, parsed: map[place]parsed{}}
}

// Parse is [Parse] of the image, or of a code object in it.
func (r *Reading) Parse(image []byte) (*Object, error) {
	if len(image) == 0 {
		return r.parse(image)
	}
	at := place{&image[0], len(image)}
	p, ok := r.parsed[at]
	if !ok {
		p.object, p.err = r.parse(image)
		r.parsed[at] = p
	}
	return p.object, p.err
}

// Unshareable returns why two loads of the image must not share a module: a program could tell the difference. It is
// empty if they may share one. An image that can't be read is not shareable.
//
// Two things make a difference: memory that kernels write, and variables that the host writes. The host can get the
// address of a named variable (hipModuleGetGlobal, cuModuleGetGlobal), including constants, and write it. Data that
// kernels can't write and that the host can't name may be shared.
func (r *Reading) Unshareable() string {
	f, ok := sharing[r.Kind]
	if !ok {
		return fmt.Sprintf("%v: its contents are not known", r.Kind)
	}
	reason, err := f(r)
	if err != nil {
		return fmt.Sprintf("its contents are not known: %v", err)
	}
	return reason
}
