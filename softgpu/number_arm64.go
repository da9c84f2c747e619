package softgpu

const sysProcessVMReadv = 270
