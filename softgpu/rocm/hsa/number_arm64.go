package hsa

const (
	sysMemfdCreate = 279
	sysUserfaultfd = 282
)
