package hsa

const sysUserfaultfd = 282
