package kernels

func ackermann(m, n int32) int32 {
	switch {
	case m == 0:
		return n + 1
	case n == 0:
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}

func evenWays(n uint32, path *[8]uint32) uint32 {
	mine := [4]uint32{n, n + 1, n * n, 7}
	path[n&7] += mine[n&3]
	if n == 0 {
		return 1
	}
	return oddWays(n-1, path) + mine[(n+1)&3]
}

func oddWays(n uint32, path *[8]uint32) uint32 {
	path[n&7] ^= n
	if n == 0 {
		return 0
	}
	return evenWays(n-1, path)
}

// interpret runs a program like the kernel of that name.
func interpret(code []byte, acc int32) int32 {
	var stack [16]int32
	top := 0
	for pc := int32(0); pc < 32; pc++ {
		switch code[pc] & 15 {
		case 0:
			acc += 3
		case 1:
			acc *= 5
		case 2:
			acc ^= 0x55
		case 3:
			stack[top&15] = acc
			top++
		case 4:
			if top == 0 {
				acc = 1
				break
			}
			top--
			acc = stack[top&15]
		case 5:
			acc = -acc
		case 6:
			pc += acc & 1
		case 7:
			acc >>= 1
		case 8:
			acc = ^acc
		case 9:
			acc <<= 2
		case 10:
			if acc < 0 {
				pc += 2
			}
		case 11:
			acc %= 1000
		case 12:
			acc *= acc
		case 13:
			acc -= pc
		case 14:
			if top > 0 {
				acc += stack[(top-1)&15]
			}
		default:
			if acc == 77 {
				pc = 40
			}
		}
	}
	return acc
}

var control = []Row{
	{"control.cl", "recursion", func(x *Exam) {
		out, got := Out[int32](x, 128)
		x.Launch(2, 64, out)
		Equal(x, Make(128, func(i int) int32 { return ackermann(int32(min(i&3, 1)+1), int32(i>>2&3)) }), got)
	}},
	{"control.cl", "mutual_recursion", func(x *Exam) {
		out, got := Out[uint32](x, 128)
		x.Launch(2, 64, out)
		Equal(x, Make(128, func(i int) uint32 {
			var path [8]uint32
			r := evenWays(uint32(i&15), &path)
			for _, p := range path {
				r = r*31 + p
			}
			return r
		}), got)
	}},
	{"control.cl", "interpreter", func(x *Exam) {
		code := x.Bytes(192 * 32)
		out, got := Out[int32](x, 192)
		x.Launch(3, 64, In(x, code), out)
		Equal(x, Make(192, func(i int) int32 { return interpret(code[32*i:], int32(i)) }), got)
	}},
	{"control.cl", "irreducible", func(x *Exam) {
		in := x.Words(128)
		out, got := Out[uint32](x, 128)
		x.Launch(2, 64, In(x, in), out)
		Equal(x, Make(128, func(i int) uint32 {
			v, n, inside := in[i], uint32(0), in[i]&1 != 0
			for {
				if !inside {
					if n += 2; n > 40 {
						break
					}
				}
				v = v*3 + n
				n++
				if inside = v&4 == 0; !inside {
					continue
				}
				v >>= 1
				if n >= 30 {
					break
				}
			}
			return v ^ n<<24
		}), got)
	}},
	{"control.cl", "nested_loops", func(x *Exam) {
		out, got := Out[uint32](x, 128)
		x.Launch(2, 64, out)
		Equal(x, Make(128, func(n int) uint32 {
			i, sum := uint32(n), uint32(0)
			for a := uint32(0); a < i&7+1; a++ {
				for b := a; b <= 12; b++ {
					if (b^i)&1 != 0 {
						continue
					}
					for c := b; ; {
						sum += c
						if sum > 5000 {
							return sum
						}
						if c -= 2; c >= 12 || c == i%5 {
							break
						}
					}
				}
				if sum&64 != 0 {
					sum ^= a
				}
			}
			return sum
		}), got)
	}},
	{"control.cl", "early_return", func(x *Exam) {
		in := x.Words(150)
		out, got := Out[uint32](x, 192)
		x.Launch(3, 64, In(x, in), out, uint32(len(in)))
		Equal(x, Make(192, func(i int) uint32 {
			if i >= len(in) || in[i]%3 == 0 {
				return 0
			}
			v := in[i]
			for v&1 != 0 {
				v >>= 1
			}
			return v
		}), got)
	}},
	{"control.cl", "queue", func(x *Exam) {
		in := Make(256, func(int) uint32 { return x.Uint32N(10000) })
		out, got := Out[uint32](x, 256)
		count, n := Out[uint32](x, 1)
		x.Launch(1, 256, In(x, in), out, count)
		found := uint32(0)
		Equal(x, Make(256, func(i int) uint32 {
			sum := uint32(0)
			found = 0
			for _, v := range in {
				if v%5 == 0 {
					found++
					if v < in[i] {
						sum += v
					}
				}
			}
			return sum
		}), got)
		Equal(x, []uint32{found}, n)
	}},
}
