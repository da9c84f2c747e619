package codeobj

import (
	"bytes"
	"strings"
)

// toBinary is how MLIR makes what is loaded.
const toBinary = "gpu-module-to-binary{format=bin} makes a binary of it"

// ptxIs is what to tell where PTX can't be compiled.
const ptxIs = "PTX, which NVIDIA's driver compiles: lower with rocdl-attach-target; " + toBinary

// notBinaries are formats that compilers write on the way to a binary, by how they begin.
var notBinaries = []struct{ magic, name string }{
	{"BC\xc0\xde", "LLVM bitcode"},
	{"\xde\xc0\x17\x0b", "LLVM bitcode"},
	{"\x03\x02\x23\x07", "SPIR-V, which Vulkan and Level Zero load"},
	{"\x07\x23\x02\x03", "SPIR-V, which Vulkan and Level Zero load"},
	{"ML\xefR", "MLIR bytecode"},
}

// NotBinary says what an image is that begins with head and is no binary, and how a binary is made of it;
// empty: not known.
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
