package hostmem

const sysProcessVMReadv = 270
