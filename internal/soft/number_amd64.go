package soft

const sysProcessVMReadv = 310
