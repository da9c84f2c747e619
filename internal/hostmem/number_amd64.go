package hostmem

const sysProcessVMReadv = 310
