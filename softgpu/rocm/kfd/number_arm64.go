package kfd

const sysMemfdCreate = 279
