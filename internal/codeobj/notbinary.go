package codeobj

import (
	"bytes"
	"strings"
)

// toBinary says how MLIR makes a loadable image.
const toBinary = "gpu-module-to-binary{format=bin} makes a binary of it"

// ptxIs is the hint for PTX on a driver that can't compile it.
const ptxIs = "PTX, which NVIDIA's driver compiles: lower with rocdl-attach-target; " + toBinary

// Unpack says how a compressed offload bundle becomes one that can be loaded.
const Unpack = "clang-offload-bundler --unbundle --type=o unpacks it"

// whatNow is the format's name and, where there is one, the way from it to a code object.
func (k Kind) whatNow() string {
	switch k {
	case KindPTX:
		return ptxIs
	case KindCompressedBundle:
		return k.String() + ": " + Unpack
	}
	return k.String()
}

// notBinaries are formats that compilers write before the binary, by their first bytes.
var notBinaries = []struct{ magic, name string }{
	{"BC\xc0\xde", "LLVM bitcode"},
	{"\xde\xc0\x17\x0b", "LLVM bitcode"},
	{"\x03\x02\x23\x07", "SPIR-V, which Vulkan and Level Zero load"},
	{"\x07\x23\x02\x03", "SPIR-V, which Vulkan and Level Zero load"},
	{"ML\xefR", "MLIR bytecode"},
}

// NotBinary describes an image that begins with head and is not a binary, and says how to make a binary of it; empty if
// the format is unknown.
func NotBinary(head []byte) string {
	for _, f := range notBinaries {
		if bytes.HasPrefix(head, []byte(f.magic)) {
			return f.name + ": " + toBinary
		}
	}
	if bytes.HasPrefix(bytes.TrimSpace(head), []byte(".version")) {
		return ptxIs
	}
	text := strings.TrimLeft(string(head), " \t\r\n")
	for _, f := range []struct {
		name   string
		begins []string
	}{
		{"assembly:", []string{".text", ".amdgcn", ".amdhsa", ".section", ".file", ".globl", ".globa"}},
		{"LLVM IR as text:", []string{"; Modul", "source_", "target ", "define "}},
		{"MLIR as text:", []string{"module", "gpu.mod", "builtin"}},
	} {
		for _, begin := range f.begins {
			if len(text) > 3 && (strings.HasPrefix(text, begin) || strings.HasPrefix(begin, text)) {
				return f.name + " " + toBinary
			}
		}
	}
	return ""
}
