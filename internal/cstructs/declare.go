package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

var sizes = types.SizesFor("gc", "amd64")

// declareEnum writes the constants of a group. args are the prefix and the names of the constants.
func (w *writer) declareEnum(p *types.Package, group *ast.GenDecl, args []string) error {
	prefix, names := args[0]+"_", args[1:]
	if len(names) == 0 {
		for _, s := range group.Specs {
			for _, id := range s.(*ast.ValueSpec).Names {
				names = append(names, id.Name)
			}
		}
	}
	fmt.Fprintf(&w.out, "\n/* Constants of package %s. */\nenum {\n", p.Name())
	for _, name := range names {
		c, ok := p.Scope().Lookup(name).(*types.Const)
		if !ok {
			return fmt.Errorf("package %s has no constant %s", p.Name(), name)
		}
		fmt.Fprintf(&w.out, "  %s%s = %s,\n", prefix, strings.TrimPrefix(snake(name), prefix), c.Val().ExactString())
	}
	w.out.WriteString("};\n")
	return nil
}

// declareStruct writes a struct. args are the struct's name in C and the fields that C uses.
func (w *writer) declareStruct(p *types.Package, name string, args []string) error {
	s, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Struct)
	if !ok {
		return fmt.Errorf("%s is not a struct", name)
	}
	w.structs[p.Name()+"."+name] = args[0]
	fmt.Fprintf(&w.out, "\n/* %s.%s */\nstruct %s {\n", p.Name(), name, args[0])
	l := &layout{w: w, known: args[1:], all: len(args) == 1}
	if err := l.fields(s, 0); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if len(l.known) != 0 {
		return fmt.Errorf("%s has no fields %v", name, l.known)
	}
	size := sizes.Sizeof(s)
	l.opaque(size)
	fmt.Fprintf(&w.out, "};\n_Static_assert(sizeof(struct %s) == %d, \"%s\");\n", args[0], size, name)
	return nil
}

// layout is a struct that is being written.
type layout struct {
	w     *writer
	known []string // fields that C uses and that are not yet written
	all   bool     // C uses all fields
	end   int64    // end of what is written
}

// fields writes the fields of a struct that begins at an offset. Fields of embedded structs are written as the struct's
// own.
func (l *layout) fields(s *types.Struct, at int64) error {
	var all []*types.Var
	for f := range s.Fields() {
		all = append(all, f)
	}
	offsets := sizes.Offsetsof(all)
	for i, f := range all {
		from := at + offsets[i]
		if embedded, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() {
			if err := l.fields(embedded, from); err != nil {
				return err
			}
			continue
		}
		known := slices.Index(l.known, f.Name())
		if known < 0 && !l.all {
			continue
		}
		if known >= 0 {
			l.known = slices.Delete(l.known, known, known+1)
		}
		base, count, err := l.w.typeOf(f.Type())
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name(), err)
		}
		l.opaque(from)
		fmt.Fprintf(&l.w.out, "  %s %s%s;\n", base, snake(f.Name()), count)
		l.end = from + sizes.Sizeof(f.Type())
	}
	return nil
}

// opaque fills the struct with opaque bytes up to an offset.
func (l *layout) opaque(to int64) {
	if n := to - l.end; n > 0 {
		fmt.Fprintf(&l.w.out, "  uint8_t opaque_%d[%d];\n", l.end, n)
	}
	l.end = to
}

// scalars maps Go's types to C's.
var scalars = map[string]string{
	"bool": "bool", "int8": "int8_t", "uint8": "uint8_t", "int16": "int16_t", "uint16": "uint16_t",
	"int32": "int32_t", "uint32": "uint32_t", "int64": "int64_t", "uint64": "uint64_t", "uintptr": "uintptr_t",
	"sync/atomic.Bool": "uint32_t", "sync/atomic.Int32": "int32_t", "sync/atomic.Uint32": "uint32_t",
	"sync/atomic.Int64": "int64_t", "sync/atomic.Uint64": "uint64_t", "sync/atomic.Uintptr": "uintptr_t",
}

// typeOf returns C's type of a field, and what follows the field's name.
func (w *writer) typeOf(t types.Type) (base, count string, err error) {
	if c, ok := scalars[t.String()]; ok {
		return c, "", nil
	}
	if n, ok := t.(*types.Named); ok {
		if c, ok := w.structs[n.Obj().Pkg().Name()+"."+n.Obj().Name()]; ok {
			return "struct " + c, "", nil
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if c, ok := scalars[u.String()]; ok {
			return c, "", nil
		}
	case *types.Pointer:
		base, _, err := w.typeOf(u.Elem())
		return base + " *", "", err
	case *types.Array:
		base, count, err := w.typeOf(u.Elem())
		return base, fmt.Sprintf("[%d]%s", u.Len(), count), err
	}
	return "", "", fmt.Errorf("%s: no type in C", t)
}
