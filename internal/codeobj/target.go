package codeobj

import "strings"

// Feature is a target feature's setting.
type Feature uint8

const (
	FeatureAny         Feature = iota // code runs with the feature on or off; in a target: not specified
	FeatureOff                        // code needs the feature off
	FeatureOn                         // code needs the feature on
	FeatureUnsupported                // the chip does not have the feature; only in e_flags
)

// Target is the processor and the features for which code is compiled.
type Target struct {
	Processor string // "gfx906", "gfx9-4-generic"
	XNACK     Feature
	SRAMECC   Feature
}

// ParseTarget reads a target ID ("gfx90a:sramecc+:xnack-"), alone or after a triple ("amdgcn-amd-amdhsa--gfx906",
// "amdgpu9.06-amd-amdhsa-unknown-gfx906"). A triple whose architecture names a processor or a family needs no ID after
// it. Unknown features are ignored.
func ParseTarget(s string) Target {
	if version, ok := amdgpu(s); ok {
		parts := strings.SplitN(s, "-", 5)
		s = processorOf(version)
		if len(parts) == 5 && parts[4] != "" {
			s = parts[4]
		}
	}
	processor, features, _ := strings.Cut(s, ":")
	t := Target{Processor: processor}
	for features != "" {
		var f string
		f, features, _ = strings.Cut(features, ":")
		setting := FeatureAny
		switch {
		case strings.HasSuffix(f, "+"):
			setting = FeatureOn
		case strings.HasSuffix(f, "-"):
			setting = FeatureOff
		default:
			continue
		}
		switch f[:len(f)-1] {
		case "xnack":
			t.XNACK = setting
		case "sramecc":
			t.SRAMECC = setting
		}
	}
	return t
}

// amdgpu reports whether a triple is for AMD GPUs. version is the version in the name of the architecture: "9.06" in
// amdgpu9.06 (LLVM 24), empty in amdgcn.
func amdgpu(triple string) (version string, ok bool) {
	arch, _, ok := strings.Cut(triple, "-")
	if !ok || arch == "amdgcn" {
		return "", ok
	}
	return strings.CutPrefix(arch, "amdgpu")
}

// forAMDGPU reports whether a bundle's entry, named KIND-TRIPLE-ID, is for AMD GPUs.
func (e *bundleEntry) forAMDGPU() bool {
	_, ok := amdgpu(e.triple())
	return ok
}

func (e *bundleEntry) triple() string {
	_, triple, _ := strings.Cut(e.id, "-")
	return triple
}

// processorOf returns the processor of an architecture's version: gfx906 for
// 9.06, a family's generic target for a version without a stepping (9, 9.4).
func processorOf(version string) string {
	major, minor, _ := strings.Cut(version, ".")
	switch {
	case major == "":
		return ""
	case minor == "":
		return "gfx" + major + "-generic"
	case len(minor) == 1:
		return "gfx" + major + "-" + minor + "-generic"
	}
	return "gfx" + major + minor
}

// String returns the target id.
func (t Target) String() string {
	s := t.Processor
	for _, f := range []struct {
		name    string
		setting Feature
	}{{":sramecc", t.SRAMECC}, {":xnack", t.XNACK}} {
		switch f.setting {
		case FeatureOn:
			s += f.name + "+"
		case FeatureOff:
			s += f.name + "-"
		}
	}
	return s
}

// Runs reports whether code for t runs on a device of target want.
func (t Target) Runs(want Target) bool { return t.fit(want) >= 0 }

// fit returns how well code for t suits a device of target want: the larger the better, negative if it does not run.
func (t Target) fit(want Target) int {
	score := 0
	switch {
	case t.Processor == want.Processor:
		score = 10
	case genericFamily[want.Processor] != t.Processor || t.Processor == "":
		return -1
	}
	for _, f := range [][2]Feature{{t.XNACK, want.XNACK}, {t.SRAMECC, want.SRAMECC}} {
		switch {
		case f[0] == f[1]:
			score += 2
		case f[0] == FeatureAny || f[0] == FeatureUnsupported:
			score++
		case f[1] != FeatureAny:
			return -1
		}
	}
	return score
}

// Fields of e_flags.
const (
	flagMach         = 0xff
	flagXNACKShift   = 8
	flagSRAMECCShift = 10
	flagGenericShift = 24
)

// firstGeneric is the lowest version of code for a generic target. LLVM has no processor that joined its family in a
// later version.
const firstGeneric = 1

// flagFeature maps the two bits of a feature in e_flags.
var flagFeature = [4]Feature{FeatureUnsupported, FeatureAny, FeatureOff, FeatureOn}

// machs maps EF_AMDGPU_MACH to the processor.
var machs = map[uint32]string{
	0x20: "gfx600", 0x21: "gfx601", 0x3a: "gfx602",
	0x22: "gfx700", 0x23: "gfx701", 0x24: "gfx702", 0x25: "gfx703", 0x26: "gfx704", 0x3b: "gfx705",
	0x28: "gfx801", 0x29: "gfx802", 0x2a: "gfx803", 0x3c: "gfx805", 0x2b: "gfx810",
	0x2c: "gfx900", 0x2d: "gfx902", 0x2e: "gfx904", 0x2f: "gfx906", 0x30: "gfx908", 0x31: "gfx909",
	0x3f: "gfx90a", 0x32: "gfx90c",
	0x40: "gfx940", 0x4b: "gfx941", 0x4c: "gfx942", 0x4f: "gfx950",
	0x33: "gfx1010", 0x34: "gfx1011", 0x35: "gfx1012", 0x42: "gfx1013",
	0x36: "gfx1030", 0x37: "gfx1031", 0x38: "gfx1032", 0x39: "gfx1033", 0x3e: "gfx1034", 0x3d: "gfx1035", 0x45: "gfx1036",
	0x41: "gfx1100", 0x46: "gfx1101", 0x47: "gfx1102", 0x44: "gfx1103",
	0x43: "gfx1150", 0x4a: "gfx1151", 0x55: "gfx1152", 0x58: "gfx1153",
	0x48: "gfx1200", 0x4e: "gfx1201", 0x49: "gfx1250", 0x5a: "gfx1251",
	0x51: "gfx9-generic", 0x5f: "gfx9-4-generic",
	0x52: "gfx10-1-generic", 0x53: "gfx10-3-generic",
	0x54: "gfx11-generic", 0x59: "gfx12-generic",
}

// genericFamily maps a processor to the generic target whose code it runs.
var genericFamily = map[string]string{
	"gfx900": "gfx9-generic", "gfx902": "gfx9-generic", "gfx904": "gfx9-generic",
	"gfx906": "gfx9-generic", "gfx909": "gfx9-generic", "gfx90c": "gfx9-generic",
	"gfx940": "gfx9-4-generic", "gfx941": "gfx9-4-generic", "gfx942": "gfx9-4-generic", "gfx950": "gfx9-4-generic",
	"gfx1010": "gfx10-1-generic", "gfx1011": "gfx10-1-generic", "gfx1012": "gfx10-1-generic", "gfx1013": "gfx10-1-generic",
	"gfx1030": "gfx10-3-generic", "gfx1031": "gfx10-3-generic", "gfx1032": "gfx10-3-generic", "gfx1033": "gfx10-3-generic",
	"gfx1034": "gfx10-3-generic", "gfx1035": "gfx10-3-generic", "gfx1036": "gfx10-3-generic",
	"gfx1100": "gfx11-generic", "gfx1101": "gfx11-generic", "gfx1102": "gfx11-generic", "gfx1103": "gfx11-generic",
	"gfx1150": "gfx11-generic", "gfx1151": "gfx11-generic", "gfx1152": "gfx11-generic", "gfx1153": "gfx11-generic",
	"gfx1200": "gfx12-generic", "gfx1201": "gfx12-generic",
}
