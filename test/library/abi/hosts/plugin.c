/* A library that brings a module along, in read-only memory. */
__asm__(".section .rodata\n"
        ".balign 4096\n"
        ".globl plugin_blob\n"
        "plugin_blob: .incbin \"" BLOB_FILE "\"\n"
        ".previous");
