package alu

//go:noescape
func avxToSmall(d, v, x *Lanes, code *[13]uint32)

//go:noescape
func avxAtRandom(d, v, x, random *Lanes, code *[13]uint32)

//go:noescape
func avxPrngB32(d, a *Lanes)

//go:noescape
func avxFromSmall(d, x, by *Lanes, values *[5]uint32, shift uint32)

//go:noescape
func avxScalePowers(by, scale *Lanes, top uint32)

func toSmallByCode(d, v, x *Lanes, c *SmallCode) { avxToSmall(d, v, x, &c.fields) }

func atRandomByCode(d, v, x, random *Lanes, c *SmallCode) {
	avxAtRandom(d, v, x, random, &c.fields)
}

func fromSmallByValues(d, x, by *Lanes, v *SmallValues, shift uint32) {
	avxFromSmall(d, x, by, &v.fields, shift)
}

// Kernels of instructions, named like them, as the processor runs them best.
var (
	ToSmall     = pick(toSmallByCode, portableToSmall)
	AtRandom    = pick(atRandomByCode, portableAtRandom)
	FromSmall   = pick(fromSmallByValues, portableFromSmall)
	PrngB32     = pick[Kernel1](avxPrngB32, portablePrngB32)
	ScalePowers = pick(avxScalePowers, portableScalePowers)
)
