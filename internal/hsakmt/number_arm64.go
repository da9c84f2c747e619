package hsakmt

const sysMemfdCreate = 279
