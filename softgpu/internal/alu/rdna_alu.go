package alu

func (e Arithmetic) fmaLegacy(a, b, c uint64) uint64 {
	if e.Number(a).is == isZero || e.Number(b).is == isZero {
		return e.Rounded(Number{}.plus(e.Number(c), e.To))
	}
	return e.Fma(a, b, c)
}
