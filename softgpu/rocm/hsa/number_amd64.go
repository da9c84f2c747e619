package hsa

const (
	sysMemfdCreate = 319
	sysUserfaultfd = 323
)
