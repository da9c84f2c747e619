package gcn

// bitop3 makes a meaning of any function of three bits: bit n of its table is the
// result for the bits of n, the first source's the highest.
func bitop3(t kind) Meaning {
	return func(i *Inst) Step {
		v := bindVector(i, t, t, t, t)
		if t.short() {
			v.keep = true
			v.seal()
		}
		return v.step3(truthTable(uint8(i.Extra)))
	}
}

func truthTable(table uint8) kernel3 {
	var terms [8]uint32
	for n := range terms {
		terms[n] = -uint32(table >> n & 1)
	}
	return func(d, a, b, c *Lanes) {
		for l := range d {
			x, y, z := a[l], b[l], c[l]
			low := ^y&(^z&terms[0]|z&terms[1]) | y&(^z&terms[2]|z&terms[3])
			high := ^y&(^z&terms[4]|z&terms[5]) | y&(^z&terms[6]|z&terms[7])
			d[l] = ^x&low | x&high
		}
	}
}
