package codeobj

import (
	"debug/elf"
	"slices"
)

// HostUse says whether a kernel calls the host while it runs: to print, to report a failed assertion, or for memory.
type HostUse uint8

const (
	HostUseNone  HostUse = iota // the kernel can't call the host
	HostUseMaybe                // the kernel gets a buffer for calls, but no call was found, as in unoptimized code
	HostUseYes                  // the kernel calls the host, or can reach a function that does
)

func (u HostUse) String() string {
	return [...]string{HostUseNone: "no", HostUseMaybe: "maybe", HostUseYes: "yes"}[u]
}

// asksHost are prefixes of names of functions that call the host, in ROCm's device libraries and HIP's headers. Before
// ROCm 6 these functions are too large to be inlined, or marked noinline.
var asksHost = []string{
	"__ockl_hostcall_", "__ockl_call_host_function", "__ockl_printf_", "__ockl_fprintf_", "__ockl_dm_alloc", "__ockl_dm_dealloc",
	"__ockl_devmem_request", "__ockl_sanitizer_report", "__assert_fail", "__assertfail", "__printf_alloc",
}

// HostUses returns, by kernel name, whether the kernels of an image call the host. For a bundle, the result of the
// worst code object counts. It returns nil if the image has no AMDGPU code objects, or can't be read.
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

// Printing returns the names of an image's kernels whose output the host may get during or after the kernel. These are
// kernels that call the host, and kernels with a printf buffer that the runtime prints (if one kernel of a code object
// prints that way, all have the buffer). In a stripped code object, all kernels that may call the host count. It
// returns nil if HostUses does.
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

// eachObject calls f for each AMDGPU code object of an image. It returns false if the image has none, or can't be read.
func eachObject(kind Kind, image []byte, f func(o *Object)) bool {
	return reading(kind, image).eachObject(f)
}

func (r *Reading) eachObject(f func(o *Object)) bool {
	image := r.Image
	parsed := func(image []byte) bool {
		o, err := r.Parse(image)
		if err == nil {
			f(o)
		}
		return err == nil
	}
	switch r.Kind {
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

// HostUse reports whether a kernel of the object calls the host.
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

// stripped reports whether an object has no symbols of local functions.
func (o *Object) stripped() bool {
	return !slices.ContainsFunc(o.tables, func(s section) bool { return s.kind == elf.SHT_SYMTAB })
}

// hasArg reports whether a kernel has an argument of a kind.
func (k *Kernel) hasArg(kind ValueKind) bool {
	return slices.ContainsFunc(k.Args, func(a Arg) bool { return a.Kind == kind })
}

// interruptsHost reports whether code contains s_sendmsg sendmsg(MSG_INTERRUPT), which announces a request.
func interruptsHost(code []byte) bool {
	for ; len(code) >= 4; code = code[4:] {
		switch le.Uint32(code) {
		case 0xbf900001, 0xbfb60001: // up to GFX10; from GFX11 on
			return true
		}
	}
	return false
}
