package softgpu

const sysProcessVMReadv = 310
