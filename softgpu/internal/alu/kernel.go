package alu

// Whole-wave kernels. They write all lanes; a destination may be one of the
// sources, so a kernel must not read a lane that it has written.
type (
	Kernel1 func(d, a *Lanes)
	Kernel2 func(d, a, b *Lanes)
	Kernel3 func(d, a, b, c *Lanes)
	Carrier func(d, a, b *Lanes, in uint64) (out uint64)
	Tester  func(a, b *Lanes) uint64
)

// TempKernel3 is a Kernel3 that needs temporaries: the second registers of temp's pairs.
type TempKernel3 func(temp *[4]Pair, d, a, b, c *Lanes)
