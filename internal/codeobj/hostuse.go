package codeobj

import (
	"debug/elf"
	"slices"
)

// HostUse tells whether a kernel asks the host for anything while it runs: to
// print, to report a failed assertion, for memory.
type HostUse uint8

const (
	HostUseNone  HostUse = iota // it has no way to
	HostUseMaybe                // it gets a buffer to do so, but nothing shows that it does: what compilers leave without optimization
	HostUseYes                  // it does, or can reach a function that does
)

func (u HostUse) String() string {
	return [...]string{HostUseNone: "no", HostUseMaybe: "maybe", HostUseYes: "yes"}[u]
}

// asksHost are the beginnings of the names of functions that ask the host, in
// ROCm's device libraries and HIP's headers. Before ROCm 6 they are too large to be
// inlined, or marked not to be.
var asksHost = []string{
	"__ockl_hostcall_", "__ockl_call_host_function", "__ockl_printf_", "__ockl_fprintf_", "__ockl_dm_alloc", "__ockl_dm_dealloc",
	"__ockl_devmem_request", "__ockl_sanitizer_report", "__assert_fail", "__assertfail", "__printf_alloc",
}

// HostUses tells, for the kernels of an image by name, whether they ask the host
// for anything. Of a bundle a kernel's worst code object counts. It is nil for
// images that are no AMDGPU code objects, or can't be read.
func HostUses(kind Kind, image []byte) map[string]HostUse {
	uses := map[string]HostUse{}
	if !eachObject(kind, image, func(o *Object) {
		calls := o.CallGraph()
		for i := range o.Kernels {
			k := &o.Kernels[i]
			uses[k.Name] = max(uses[k.Name], calls.HostUse(k))
		}
	}) {
		return nil
	}
	return uses
}

// Printing returns the names of an image's kernels whose output the host may get while they
// run, or when they have: those that ask the host for anything, and those with a buffer for
// output that the runtime prints, which all kernels of a code object have if one prints so. Of a
// stripped code object, all that may ask count. It is nil where HostUses is.
func Printing(kind Kind, image []byte) map[string]bool {
	prints := map[string]bool{}
	if !eachObject(kind, image, func(o *Object) {
		calls, least := o.CallGraph(), HostUseYes
		if o.stripped() {
			least = HostUseMaybe
		}
		for i := range o.Kernels {
			if k := &o.Kernels[i]; k.hasArg(HiddenPrintfBuffer) || calls.HostUse(k) >= least {
				prints[k.Name] = true
			}
		}
	}) {
		return nil
	}
	return prints
}

// eachObject calls f for each AMDGPU code object of an image. It returns false for images that
// have none, or can't be read.
func eachObject(kind Kind, image []byte, f func(o *Object)) bool {
	parsed := func(image []byte) bool {
		o, err := Parse(image)
		if err == nil {
			f(o)
		}
		return err == nil
	}
	switch kind {
	case KindHSACO:
		return parsed(image)
	case KindBundle:
		entries, _, err := bundleEntries(imageSource(image))
		if err != nil {
			return false
		}
		for _, e := range entries {
			if !e.forAMDGPU() || e.size == 0 {
				continue
			}
			if end(e.off, e.size) > uint64(len(image)) || !parsed(image[e.off:e.off+e.size]) {
				return false
			}
		}
		return true
	}
	return false
}

// HostUse tells whether a kernel of the object asks the host for anything.
func (g *CallGraph) HostUse(k *Kernel) HostUse {
	buffer := k.hasArg(HiddenHostcallBuffer)
	if !buffer && !k.hasArg(HiddenPrintfBuffer) {
		return HostUseNone
	}
	if g.reaches(k, func(name string, code []byte) bool {
		return hasAnyPrefix(name, asksHost) || buffer && interruptsHost(code)
	}) {
		return HostUseYes
	}
	return HostUseMaybe
}

// stripped reports whether an object lacks the symbols of functions that only it knows.
func (o *Object) stripped() bool {
	return !slices.ContainsFunc(o.tables, func(s section) bool { return s.kind == elf.SHT_SYMTAB })
}

// hasArg tells whether a kernel has an argument of a kind.
func (k *Kernel) hasArg(kind ValueKind) bool {
	return slices.ContainsFunc(k.Args, func(a Arg) bool { return a.Kind == kind })
}

// interruptsHost tells whether code has s_sendmsg sendmsg(MSG_INTERRUPT), by which a request
// is announced.
func interruptsHost(code []byte) bool {
	for ; len(code) >= 4; code = code[4:] {
		switch le.Uint32(code) {
		case 0xbf900001, 0xbfb60001: // to GFX10; GFX11 and later
			return true
		}
	}
	return false
}
