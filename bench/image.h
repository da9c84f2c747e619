/* The code object or PTX of kernels.c, from kernels.image in a folder that the assembler
 * searches. For one file of a program. */
#ifndef BENCH_IMAGE_H
#define BENCH_IMAGE_H

__asm__(".section .rodata\n"
        ".balign 4096\n"
        ".globl kernels_image\n"
        "kernels_image: .incbin \"kernels.image\"\n"
        ".byte 0\n"
        ".previous");
extern const char kernels_image[];

#endif
