package kfd

const sysMemfdCreate = 319
