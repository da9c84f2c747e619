/* What Go's object file looks like to the linker, as far as it matters. */
	.file "go.go"
	.text
nothing:
	ret

	.section .init_array,"aw"
mgpu_late_entry.ptr:
	.quad nothing

	.section .data.rel.ro,"aw"
	.hidden runtime.types, runtime.etypes
	.globl runtime.types, runtime.etypes
	.balign 8
runtime.types:
	.rept 2048
	.quad nothing
	.endr
runtime.etypes:

	.data
	.hidden runtime.data, runtime.edata
	.globl runtime.data, runtime.edata
	.balign 8
runtime.data:
	.quad 7, nothing
runtime.edata:

	.section .noptrdata,"aw"
	.balign 8
runtime.noptrdata:
	.quad runtime.types
#ifndef FOREIGN
runtime.enoptrdata:
#endif

	.section .note.GNU-stack,"",@progbits
