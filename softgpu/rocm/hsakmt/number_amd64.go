package hsakmt

const (
	sysMemfdCreate = 319
	sysUserfaultfd = 323
)
