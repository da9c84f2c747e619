package gcn

//go:noescape
func avxToSmall(d, v, x *Lanes, code *[11]uint32)

//go:noescape
func avxScalePowers(by, scale *Lanes, top uint32)

func toSmallByCode(d, v, x *Lanes, c *smallCode) { avxToSmall(d, v, x, &c.fields) }

var (
	toSmall     = pick(toSmallByCode, portableToSmall)
	scalePowers = pick(avxScalePowers, portableScalePowers)
)
