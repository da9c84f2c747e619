package codeobj

import (
	"debug/elf"
	"fmt"
	"strings"
)

// Traits are what a cache of modules has to know of an image.
type Traits struct {
	Unshareable string // see [Reading.Unshareable]
	Silent      bool   // no kernel has a buffer for output or calls of the host: [Printing] is empty
}

// TraitsOf is [Reading.Traits] for an image that is read only for this.
func TraitsOf(kind Kind, image []byte) Traits { return reading(kind, image).Traits() }

// Traits returns the traits of the image.
func (r *Reading) Traits() Traits { return Traits{r.Unshareable(), r.silent()} }

func (r *Reading) silent() bool {
	silent := true
	return r.eachObject(func(o *Object) {
		for i := range o.Kernels {
			k := &o.Kernels[i]
			silent = silent && !k.hasArg(HiddenPrintfBuffer) && !k.hasArg(HiddenHostcallBuffer)
		}
	}) && silent
}

// Unshareable is [Reading.Unshareable] for an image that is read only for this.
func Unshareable(kind Kind, image []byte) string { return reading(kind, image).Unshareable() }

var sharing = map[Kind]func(*Reading) (reason string, err error){
	KindHSACO:  func(r *Reading) (string, error) { return r.objectUnshareable(r.Image) },
	KindBundle: (*Reading).bundleUnshareable,
	KindCubin:  func(r *Reading) (string, error) { return cubinUnshareable(r.Image) },
	KindPTX:    func(r *Reading) (string, error) { return ptxUnshareable(r.Image) },
	KindFatbin: func(r *Reading) (string, error) { return fatbinUnshareable(r.Image) },
}

func (r *Reading) objectUnshareable(image []byte) (string, error) {
	o, err := r.Parse(image)
	if err != nil {
		return "", err
	}
	return o.Unshareable(), nil
}

// bundleUnshareable checks every code object of a bundle, since the one that a driver will take is not known here.
func (r *Reading) bundleUnshareable() (string, error) {
	image := r.Image
	entries, _, err := bundleEntries(imageSource(image))
	if err != nil {
		return "", err
	}
	total := uint64(0)
	for _, e := range entries {
		if total = end(total, e.size); total > uint64(len(image)) {
			return "", fmt.Errorf("offload bundle: entry %s: the entries are larger than the bundle of %d bytes", e.id, len(image))
		}
		if !e.forAMDGPU() || e.size == 0 {
			continue
		}
		if end(e.off, e.size) > uint64(len(image)) {
			return "", fmt.Errorf("offload bundle: entry %s: %d bytes at %d end beyond the image's %d", e.id, e.size, e.off, len(image))
		}
		reason, err := r.objectUnshareable(image[e.off : e.off+e.size])
		if err != nil {
			return "", fmt.Errorf("offload bundle: entry %s: %w", e.id, err)
		}
		if reason != "" {
			return reason, nil
		}
	}
	return "", nil
}

// harmless are prefixes of names of variables that no kernel uses.
var harmless = []string{
	"__hip_cuid_", // marks a HIP translation unit for the host's linker
}

// Unshareable returns why two loads of the object must not share a module; empty if they may. Reasons are a variable
// that a kernel or the host can write, and kernels that run when the module is loaded.
func (o *Object) Unshareable() string {
	for i := range o.Kernels {
		if k := &o.Kernels[i]; k.Kind != NormalKernel {
			return fmt.Sprintf("kernel %s is of kind %s: loading runs it", k.Name, k.Kind)
		}
	}
	left := o.mutable
	for i := range o.Symbols {
		s := &o.Symbols[i]
		if !s.Writable || s.Type != elf.STT_OBJECT {
			continue
		}
		if strings.HasSuffix(s.Name, ".managed") {
			return fmt.Sprintf("variable %s is managed memory", strings.TrimSuffix(s.Name, ".managed"))
		}
		if !hasAnyPrefix(s.Name, harmless) {
			return fmt.Sprintf("variable %s can be written", s.Name)
		}
		left = cut(left, span{s.Value, end(s.Value, s.Size)})
	}
	if s := o.settable(); s != nil {
		return fmt.Sprintf("constant %s can be set by the host", s.Name)
	}
	if len(left) > 0 {
		return fmt.Sprintf("%d bytes at address %#x can be written, and no symbol names them", left[0].hi-left[0].lo, left[0].lo)
	}
	return ""
}

// settable returns a constant whose address the host can get, or nil. Like hipModuleGetGlobal it looks for any object
// among the dynamic symbols that is not a kernel descriptor. Local and hidden symbols, such as MLIR's private globals and
// printf formats, are not dynamic.
func (o *Object) settable() *Symbol {
	descriptors := map[string]bool{}
	for i := range o.Kernels {
		descriptors[o.Kernels[i].Symbol] = true
	}
	for i := range o.Symbols[:o.dynsyms] {
		s := &o.Symbols[i]
		if s.Type == elf.STT_OBJECT && s.Defined() && !descriptors[s.Name] && !hasAnyPrefix(s.Name, harmless) {
			return s
		}
	}
	return nil
}

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
