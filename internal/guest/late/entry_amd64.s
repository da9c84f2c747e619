//go:build linux

#include "textflag.h"

// mgpu_late_entry takes the place of Go's own constructor in a shared library
// that is linked with -E=mgpu_late_entry. As a constructor it does nothing that
// can be seen. Called from C it returns the address of the constructor whose
// place it took, which the linker would otherwise drop. The eight bytes after
// its return tell start.c which entry of .init_array it is: symbols of Go's
// assembly are local to Go's object file, so C can't name it.
TEXT mgpu_late_entry(SB), NOSPLIT|NOFRAME, $0
	LEAQ _rt0_amd64_linux_lib(SB), AX
	RET
	BYTE $'m'; BYTE $'g'; BYTE $'p'; BYTE $'u'
	BYTE $'R'; BYTE $'T'; BYTE $'0'; BYTE $0
