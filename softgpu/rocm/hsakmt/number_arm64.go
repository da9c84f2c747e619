package hsakmt

const (
	sysMemfdCreate = 279
	sysUserfaultfd = 282
)
