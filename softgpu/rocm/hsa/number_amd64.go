package hsa

const sysUserfaultfd = 323
