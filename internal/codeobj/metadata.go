package codeobj

import (
	"errors"
	"fmt"
	"math"

	"github.com/tinylib/msgp/msgp"
)

// metadata is the contents of an NT_AMDGPU_METADATA note.
type metadata struct {
	major, minor uint32
	target       string
	kernels      []Kernel
	printf       []string
}

// field is one key of a metadata map, with the function that reads its value and whether it is required.
type field[T any] struct {
	key      string
	required bool
	read     func(*T, []byte) ([]byte, error)
}

// The keys of code object versions 3 to 6. Other keys are ignored, as the driver's loader does.
var (
	rootFields = []field[metadata]{
		{"amdhsa.version", true, readVersion},
		{"amdhsa.target", false, text(func(m *metadata) *string { return &m.target })},
		{"amdhsa.printf", false, func(m *metadata, b []byte) ([]byte, error) {
			return readList(b, &m.printf, func(s *string, _ int, b []byte) ([]byte, error) {
				text, rest, err := msgp.ReadStringBytes(b)
				*s = text
				return rest, err
			})
		}},
		{"amdhsa.kernels", false, func(m *metadata, b []byte) ([]byte, error) {
			return readList(b, &m.kernels, readKernel)
		}},
	}
	kernelFields = []field[Kernel]{
		{".name", true, text(func(k *Kernel) *string { return &k.Name })},
		{".symbol", true, text(func(k *Kernel) *string { return &k.Symbol })},
		{".args", false, func(k *Kernel, b []byte) ([]byte, error) { return readList(b, &k.Args, readArg) }},
		{".kernarg_segment_size", true, number(func(k *Kernel) *uint32 { return &k.KernargSize })},
		{".kernarg_segment_align", true, number(func(k *Kernel) *uint32 { return &k.KernargAlign })},
		{".group_segment_fixed_size", true, number(func(k *Kernel) *uint32 { return &k.GroupSize })},
		{".private_segment_fixed_size", true, number(func(k *Kernel) *uint32 { return &k.PrivateSize })},
		{".max_flat_workgroup_size", true, number(func(k *Kernel) *uint32 { return &k.MaxFlatWorkgroupSize })},
		{".wavefront_size", true, number(func(k *Kernel) *uint32 { return &k.WavefrontSize })},
		{".sgpr_count", true, number(func(k *Kernel) *uint32 { return &k.SGPRCount })},
		{".vgpr_count", true, number(func(k *Kernel) *uint32 { return &k.VGPRCount })},
		{".uses_dynamic_stack", false, flag(func(k *Kernel) *bool { return &k.UsesDynamicStack })},
		{".kind", false, text(func(k *Kernel) *string { return &k.Kind })},
		{".reqd_workgroup_size", false, readReqdWorkgroupSize},
	}
	argFields = []field[Arg]{
		{".offset", true, number(func(a *Arg) *uint32 { return &a.Offset })},
		{".size", true, number(func(a *Arg) *uint32 { return &a.Size })},
		{".value_kind", true, readValueKind},
		{".name", false, text(func(a *Arg) *string { return &a.Name })},
	}
)

// decodeMetadata reads a note's MessagePack document.
func decodeMetadata(b []byte) (*metadata, error) {
	m := new(metadata)
	if _, err := readMap(m, b, rootFields); err != nil {
		return nil, fmt.Errorf("AMDGPU metadata: %w", err)
	}
	return m, nil
}

func readKernel(k *Kernel, i int, b []byte) ([]byte, error) {
	k.Kind = NormalKernel
	rest, err := readMap(k, b, kernelFields)
	if err == nil {
		err = k.check()
	}
	switch {
	case err == nil:
		return rest, nil
	case k.Name != "":
		return nil, fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	return nil, fmt.Errorf("kernel %d: %w", i, err)
}

func readArg(a *Arg, i int, b []byte) ([]byte, error) {
	rest, err := readMap(a, b, argFields)
	if err != nil {
		return nil, fmt.Errorf("argument %d: %w", i, err)
	}
	return rest, nil
}

// readValueKind copies only names that are not known, since each argument of each kernel has one.
func readValueKind(a *Arg, b []byte) ([]byte, error) {
	name, rest, err := msgp.ReadStringZC(b)
	if err != nil {
		return rest, err
	}
	if k, known := valueKinds[string(name)]; known {
		a.Kind, a.KindName = k, valueKindNames[k]
	} else {
		a.Kind, a.KindName = UnknownValue, string(name)
	}
	return rest, nil
}

// check reports contradictions in a kernel's metadata.
func (k *Kernel) check() error {
	if k.WavefrontSize != 32 && k.WavefrontSize != 64 {
		return fmt.Errorf(".wavefront_size: %d is neither 32 nor 64", k.WavefrontSize)
	}
	if k.KernargAlign == 0 || k.KernargAlign&(k.KernargAlign-1) != 0 {
		return fmt.Errorf(".kernarg_segment_align: %d is not a power of two", k.KernargAlign)
	}
	for i := range k.Args {
		if a := &k.Args[i]; uint64(a.Offset)+uint64(a.Size) > uint64(k.KernargSize) {
			return fmt.Errorf(".args: argument %d (%s) of %d bytes at %d ends beyond the kernarg segment's %d", i, a.KindName, a.Size, a.Offset, k.KernargSize)
		}
	}
	return nil
}

// readMap reads a map into v by its fields and returns the remaining bytes.
func readMap[T any](v *T, b []byte, fields []field[T]) ([]byte, error) {
	n, b, err := msgp.ReadMapHeaderBytes(b)
	if err != nil {
		return nil, plain(err)
	}
	var seen uint32
	var first error
	for i := range n {
		var key []byte
		if key, b, err = msgp.ReadStringZC(b); err != nil {
			return nil, fmt.Errorf("key %d of %d: %w", i, n, plain(err))
		}
		f := -1
		for j := range fields {
			if fields[j].key == string(key) {
				f = j
				break
			}
		}
		value := b
		if b, err = msgp.Skip(b); err != nil {
			return nil, fmt.Errorf("%.64q: %w", key, plain(err))
		}
		if f < 0 {
			continue
		}
		seen |= 1 << f
		// The other keys are read nevertheless: with the name the message is better.
		if _, err := fields[f].read(v, value); err != nil && first == nil {
			first = fmt.Errorf("%s: %w", key, plain(err))
		}
	}
	if first != nil {
		return nil, first
	}
	for j, f := range fields {
		if f.required && seen&(1<<j) == 0 {
			return nil, fmt.Errorf("%s is missing", f.key)
		}
	}
	return b, nil
}

// readList reads an array's elements into *list. The list grows as elements are read, since the array's length may be
// wrong.
func readList[T any](b []byte, list *[]T, read func(*T, int, []byte) ([]byte, error)) ([]byte, error) {
	n, b, err := msgp.ReadArrayHeaderBytes(b)
	if err != nil {
		return nil, err
	}
	all := make([]T, 0, min(n, 16))
	*list = nil
	for i := range n {
		var zero T
		all = append(all, zero)
		if b, err = read(&all[i], int(i), b); err != nil {
			return nil, err
		}
	}
	if n > 0 {
		*list = all
	}
	return b, nil
}

func text[T any](at func(*T) *string) func(*T, []byte) ([]byte, error) {
	return func(v *T, b []byte) ([]byte, error) {
		s, b, err := msgp.ReadStringBytes(b)
		if err == nil {
			*at(v) = s
		}
		return b, err
	}
}

func number[T any](at func(*T) *uint32) func(*T, []byte) ([]byte, error) {
	return func(v *T, b []byte) ([]byte, error) {
		n, b, err := readUint32(b)
		if err == nil {
			*at(v) = n
		}
		return b, err
	}
}

func readUint32(b []byte) (uint32, []byte, error) {
	n, b, err := msgp.ReadUint64Bytes(b)
	if err == nil && n > math.MaxUint32 {
		err = fmt.Errorf("%d does not fit 32 bits", n)
	}
	return uint32(n), b, err
}

// flag reads a boolean; some producers write a number.
func flag[T any](at func(*T) *bool) func(*T, []byte) ([]byte, error) {
	return func(v *T, b []byte) ([]byte, error) {
		if msgp.NextType(b) != msgp.BoolType {
			n, b, err := readUint32(b)
			if err == nil {
				*at(v) = n != 0
			}
			return b, err
		}
		f, b, err := msgp.ReadBoolBytes(b)
		if err == nil {
			*at(v) = f
		}
		return b, err
	}
}

func readVersion(m *metadata, b []byte) ([]byte, error) {
	var v []uint32
	b, err := readNumbers(b, &v)
	if err != nil {
		return nil, err
	}
	if len(v) != 2 {
		return nil, fmt.Errorf("%d numbers, not 2", len(v))
	}
	if m.major, m.minor = v[0], v[1]; m.major != 1 {
		return nil, fmt.Errorf("%d.%d is not known: only 1.x is", m.major, m.minor)
	}
	return b, nil
}

func readReqdWorkgroupSize(k *Kernel, b []byte) ([]byte, error) {
	var v []uint32
	b, err := readNumbers(b, &v)
	if err != nil {
		return nil, err
	}
	if len(v) != 3 {
		return nil, fmt.Errorf("%d numbers, not 3", len(v))
	}
	copy(k.ReqdWorkgroupSize[:], v)
	return b, nil
}

func readNumbers(b []byte, list *[]uint32) ([]byte, error) {
	return readList(b, list, func(v *uint32, i int, b []byte) ([]byte, error) {
		n, b, err := readUint32(b)
		*v = n
		return b, err
	})
}

// plain translates the library's errors into the terms of this package.
func plain(err error) error {
	var wrong msgp.TypeError
	switch {
	case errors.Is(err, msgp.ErrShortBytes):
		return errors.New("the metadata ends in the middle of it")
	case errors.As(err, &wrong):
		return fmt.Errorf("is %s, not %s", wrong.Encoded, wrong.Method)
	}
	return err
}
