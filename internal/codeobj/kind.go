package codeobj

// Kind is a container format of device code.
type Kind uint8

const (
	KindUnknown          Kind = iota
	KindHSACO                 // AMDGPU ELF
	KindCubin                 // CUDA ELF
	KindBundle                // clang offload bundle
	KindCompressedBundle      // clang offload bundle, compressed
	KindFatbin                // CUDA fat binary
	KindPTX                   // CUDA assembly text, terminated by a NUL
)

var kindNames = [...]string{
	KindUnknown:          "unknown image",
	KindHSACO:            "AMDGPU code object",
	KindCubin:            "CUDA cubin",
	KindBundle:           "offload bundle",
	KindCompressedBundle: "compressed offload bundle",
	KindFatbin:           "CUDA fatbin",
	KindPTX:              "PTX",
}

func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return kindNames[KindUnknown]
}
