package codeobj

import "fmt"

// Reading is an image that is read for several purposes: each of its AMDGPU code objects is
// parsed once. It is for one thread at a time.
type Reading struct {
	Image []byte
	Kind  Kind

	parse  func(image []byte) (*Object, error)
	parsed map[place]parsed
}

// place is where a code object lies.
type place struct {
	first  *byte
	length int
}

type parsed struct {
	object *Object
	err    error
}

// Read begins to read an image, which stays as it is.
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

// Unshareable tells why two loads of the image must not get one module: because a
// program could tell the difference. It is empty if they may. An image that it
// cannot look into is not shareable.
//
// Two things make a difference: memory that kernels write, and variables that the
// host writes. The host gets a variable's address by its name (hipModuleGetGlobal,
// cuModuleGetGlobal), constants included: a constant that has a name for the host is
// as good as written. What kernels can't write and the host can't name is shared.
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
