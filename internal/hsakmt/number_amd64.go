package hsakmt

const sysMemfdCreate = 319
