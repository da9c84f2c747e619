package soft

const sysProcessVMReadv = 270
