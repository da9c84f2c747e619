package softgpu

import (
	"bytes"
	"math"
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// corners runs a test of testdata/corners.cl on chips, without and with optimization, and
// once with a checker, which must have nothing to say. MGPU_TEST_LONG takes all chips.
func corners(t *testing.T, check func(t *testing.T, d *Driver, image []byte)) {
	cornersUnchecked(t, check)
	t.Run("gfx906-O2 checked", func(t *testing.T) {
		said := &bytes.Buffer{}
		check(t, open(t, Options{Check: "all", Reports: said}), cornerImage(t, "gfx906", "-O2"))
		assert.Empty(t, said.String())
	})
}

func cornersUnchecked(t *testing.T, check func(t *testing.T, d *Driver, image []byte)) {
	cornersOfGFX9(t, check)
	for _, b := range rdnaBuilds() {
		t.Run(b.String(), func(t *testing.T) {
			check(t, open(t, Options{Chip: b.chip}), cornerImage(t, b.chip, b.level, b.flags...))
		})
	}
}

// cornersOfGFX9 are those of waves of 64 all of whose lanes reach each other.
func cornersOfGFX9(t *testing.T, check func(t *testing.T, d *Driver, image []byte)) {
	for _, chip := range chips() {
		if !allCases && (chip == "gfx900" || chip == "gfx908") {
			continue
		}
		for _, level := range levels(chip, "gfx942") {
			t.Run(chip+level, func(t *testing.T) { check(t, open(t, Options{Chip: chip}), cornerImage(t, chip, level)) })
		}
	}
}

func cornerImage(t *testing.T, chip, level string, flags ...string) []byte {
	return compile(t, append([]string{"-x", "cl", "-cl-std=CL2.0", "-w", "-ffp-contract=off", "-cl-fp32-correctly-rounded-divide-sqrt",
		filepath.Join("testdata", "corners.cl"), "-mcpu=" + chip, level}, flags...))
}

func TestCallsThroughPointersThatDifferBetweenLanes(t *testing.T) {
	steps := [4]func(uint32) uint32{
		func(x uint32) uint32 { return 2 * x }, func(x uint32) uint32 { return x + 7 },
		func(x uint32) uint32 { return x * x }, func(x uint32) uint32 { return 2*x + 7 },
	}
	r := rand.New(rand.NewPCG(1, 1))
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		which, wv := buffer[uint32](t, d, 300)
		out, ov := buffer[uint32](t, d, 300)
		for i := range wv {
			wv[i] = r.Uint32()
		}
		require.NoError(t, run(t, d, image, "indirect", d1(3), d1(100), which, out))
		for i, w := range wv {
			x := uint32(i)
			for n := range 3 {
				x = steps[w>>(2*n)&3](x)
			}
			require.Equal(t, x, ov[i], "work-item %d", i)
		}
	})
}

// oddStruct is struct odd of corners.cl; its functions follow.
type oddStruct struct {
	bytes  [13]uint8
	shorts [3]uint16
}

func goUp(n uint32, from *oddStruct) uint32 {
	if n == 0 {
		return uint32(from.bytes[3])
	}
	return goDown(n-1, from) + n
}

func goDown(n uint32, from *oddStruct) uint32 {
	var mine oddStruct
	for i := range mine.bytes {
		mine.bytes[i] = from.bytes[(i+1)%13] + uint8(n)
	}
	for i := range mine.shorts {
		mine.shorts[i] = from.shorts[i] + uint16(n)
	}
	if n == 0 {
		return uint32(mine.bytes[5]) + uint32(mine.shorts[2])
	}
	return goUp(n-1, &mine)*3 + uint32(mine.bytes[n%13]) + uint32(mine.shorts[n%3])
}

func TestMutualRecursionToADepthOfEachLanesOwn(t *testing.T) {
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		out, ov := buffer[uint32](t, d, 150)
		require.NoError(t, run(t, d, image, "mutual", d1(2), d1(75), out))
		for i := range ov {
			var first oddStruct
			for k := range first.bytes {
				first.bytes[k] = uint8(i + k)
			}
			for k := range first.shorts {
				first.shorts[k] = uint16(1000*i + k)
			}
			require.Equal(t, goDown(uint32(i%24), &first), ov[i], "work-item %d", i)
		}
	})
}

func TestObjectsOfASizeThatOnlyTheKernelKnows(t *testing.T) {
	const n = 3
	r := rand.New(rand.NewPCG(2, 1))
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		in, iv := buffer[uint32](t, d, 200)
		out, ov := buffer[uint32](t, d, 200)
		for i := range iv {
			iv[i] = r.Uint32()
		}
		require.NoError(t, run(t, d, image, "dynamic", d1(2), d1(100), in, out, uint32(n)))
		for i, x := range iv {
			sum, mine := uint32(0), x&3
			for r := range uint32(3) {
				for k := range mine + 1 {
					sum = sum*3 + (mine - k + r + uint32(i))
				}
			}
			require.Equal(t, sum+x%(n+1)*uint32(i), ov[i], "work-item %d", i)
		}
	})
}

func TestTablesOfPointersAreRelocated(t *testing.T) {
	tables := [3][]uint32{{2, 3, 5}, {100, 200, 300, 400, 500, 600, 700}, {3, 5}}
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		out, ov := buffer[uint32](t, d, 128)
		require.NoError(t, run(t, d, image, "table_of_tables", d1(2), d1(64), out))
		for i, v := range ov {
			table := tables[i%3]
			require.Equal(t, table[i%len(table)], v, "work-item %d", i)
		}
	})
}

// goOddSizes is odd_sizes of corners.cl for one work-item: struct mixed takes 30 bytes.
func goOddSizes(i, at uint32) (sum uint32) {
	const size, pair, words = 30, 1, 7
	var bytes [3 * size]uint8
	for k := range bytes {
		bytes[k] = uint8(i + 3*uint32(k))
	}
	var shared [7]uint8
	for k := range shared {
		shared[k] = uint8(i + 3*uint32(k))
	}
	p := at%3*size + pair + 2*(at%2+1)
	bytes[p], bytes[p+1] = uint8(at), uint8(at>>8)
	p = (at+1)%3*size + words + 4*(at%5)
	w := uint32(bytes[p]) | uint32(bytes[p+1])<<8 | uint32(bytes[p+2])<<16 | uint32(bytes[p+3])<<24
	w += at
	bytes[p], bytes[p+1], bytes[p+2], bytes[p+3] = uint8(w), uint8(w>>8), uint8(w>>16), uint8(w>>24)
	copy(bytes[(at+2)%3*size:][:size], bytes[at%3*size:][:size])
	for _, b := range bytes {
		sum = sum*31 + uint32(b)
	}
	where := bytes[:]
	if at&1 != 0 {
		where = shared[:]
	}
	for k := range 7 {
		sum = sum*31 + uint32(where[k])
	}
	return sum
}

func TestPrivateMemoryOfOddSizes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		in, iv := buffer[uint32](t, d, 180)
		out, ov := buffer[uint32](t, d, 180)
		for i := range iv {
			iv[i] = r.Uint32()
		}
		require.NoError(t, run(t, d, image, "odd_sizes", d1(3), d1(60), in, out))
		for i := range ov {
			require.Equal(t, goOddSizes(uint32(i), iv[i]), ov[i], "work-item %d, %#x", i, iv[i])
		}
	})
}

// goLeaving is leaving of corners.cl.
func goLeaving(x uint32) (sum uint32) {
	for k := range uint32(20) {
		if (x+k)%5 == 0 {
			continue
		}
		switch (x ^ k) & 7 {
		case 0:
			sum += 11
		case 1:
			sum += 10
		case 2:
			sum *= 3
		case 6:
			if sum > 1000 {
				return sum
			}
			sum += x
		default:
			for j := range x & 3 {
				if sum += j; sum&16 != 0 {
					break
				}
			}
		}
		if sum%13 == 12 {
			break
		}
	}
	return sum
}

func TestLanesThatLeaveAtDifferentTimes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		in, iv := buffer[uint32](t, d, 512)
		out, ov := buffer[uint32](t, d, 512)
		for i := range iv {
			iv[i], ov[i] = r.Uint32N(5000), 12345
		}
		require.NoError(t, run(t, d, image, "leaving", d1(4), d1(128), in, out))
		for i, x := range iv {
			want := uint32(12345)
			if x%11 != 0 {
				want = goLeaving(x)
			}
			require.Equal(t, want, ov[i], "work-item %d, %d", i, x)
		}
	})
}

func TestAtomicsOf64BitsFromWorkgroupsInParallel(t *testing.T) {
	const groups, size = 24, 96
	r := rand.New(rand.NewPCG(5, 1))
	corners(t, func(t *testing.T, d *Driver, image []byte) {
		all, av := buffer[uint64](t, d, 12)
		in, iv := buffer[uint64](t, d, groups*size)
		local, lv := buffer[uint64](t, d, 4*groups)
		for i := range iv {
			iv[i] = r.Uint64()
		}
		copy(av, []uint64{0, 0, math.MaxUint64, 0, math.MaxUint64, 0, 0, math.MaxInt64, 1 << 63, 0, 0, 0})
		want := append([]uint64(nil), av...)
		var wantLocal [4 * groups]uint64
		for i, v := range iv {
			want[0], want[1] = want[0]+v, want[1]-v
			want[2], want[3] = min(want[2], v), max(want[3], v)
			want[4], want[5], want[6] = want[4]&v, want[5]|v, want[6]^v
			want[7], want[8] = uint64(min(int64(want[7]), int64(v))), uint64(max(int64(want[8]), int64(v)))
			want[9] += v >> 7
			g := wantLocal[i/size*4:]
			g[0], g[1], g[2], g[3] = g[0]+v, max(g[1], v), g[2]^v, g[3]+v>>7
		}
		require.NoError(t, run(t, d, image, "atomics64", d1(groups), d1(size), all, in, local))
		require.Equal(t, want[:10], av[:10])
		require.Equal(t, av[11], av[10], "all but the last value came out of the exchange")
		require.Contains(t, iv, av[11])
		require.Equal(t, wantLocal[:], lv)
	})
}

func TestBarriersInLoopsWithWavesThatLeave(t *testing.T) {
	cornersUnchecked(t, func(t *testing.T, d *Driver, image []byte) {
		for _, size := range []uint32{64, 128, 320, 1000} {
			out, ov := buffer[uint32](t, d, int(size))
			if size > 256 {
				size = 256
			}
			require.NoError(t, run(t, d, image, "rounds", d1(1), d1(size), out))
			for i, v := range ov[:size] {
				want := uint32(104)
				if i/64 == 1 {
					want = 101
				}
				if size/64 == 2 && i/64 != 1 {
					want = ov[i] // the wave whose turn it was is gone
				}
				require.Equal(t, want, v, "%d work-items, number %d", size, i)
			}
		}
	})
}

func TestLanesSeeOfOthersWhatIsActive(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	cornersOfGFX9(t, func(t *testing.T, d *Driver, image []byte) {
		in, iv := buffer[uint32](t, d, 64)
		out, ov := buffer[uint32](t, d, 64*8)
		for i := range iv {
			iv[i] = r.Uint32()
		}
		require.NoError(t, run(t, d, image, "lanes", d1(1), d1(64), in, out))
		active := func(i int) bool { return i >= 0 && i < 64 && i%3 != 0 }
		pick := func(i int, none uint32) uint32 {
			if active(i) {
				return iv[i]
			}
			return none
		}
		mask, count := uint32(0), uint32(0)
		for i := range 32 {
			if active(i) {
				mask |= 1 << i
			}
		}
		for i := range 64 {
			if !active(i) {
				continue
			}
			before, row := i-1, i/16*16
			if before < row {
				before = -1
			}
			quad := pick(i&^3+3-i&3, 7)
			if 0x5>>(i/16)&1 == 0 || 0xa>>(i/4%4)&1 == 0 {
				quad = 7
			}
			want := []uint32{iv[1], iv[4], pick(before, 7), pick(before, 0), quad, pick((i+1)%64, 0), mask, count}
			assert.Equal(t, want, ov[8*i:8*i+8], "lane %d", i)
			count++
		}
	})
}

// TestWhatIsGuardedDoesNotEndKernels has conditions around what is undefined
// without, of operands that make it so in most lanes.
func TestWhatIsGuardedDoesNotEndKernels(t *testing.T) {
	const n = 256
	awkward := []uint32{0, 1, 7, 8, 31, 32, 63, 64, 255, 256, 1 << 31, math.MaxUint32, 0x7fc00000, 0x7f800000, 0xff800000, 0x4f800000, 0xcf000001}
	r := rand.New(rand.NewPCG(7, 1))
	guarded := func(t *testing.T, d *Driver, image []byte) {
		in, iv := buffer[uint32](t, d, 2*n)
		out, ov := buffer[uint32](t, d, 6*n)
		for i := range iv {
			iv[i] = awkward[r.IntN(len(awkward))]
			if r.IntN(4) == 0 {
				iv[i] = r.Uint32()
			}
		}
		require.NoError(t, run(t, d, image, "guarded", d1(n/64), d1(64), in, out, uint32(n)))
		for i := range n {
			x, y := iv[i], iv[i+n]
			want := [6]uint32{1, 2, 3, 4, 5, 6}
			if x < 8 {
				want[0] = x*x + y + (x ^ x*y) + n*x
			}
			if x < 32 {
				want[1] = y<<x + y>>x
			} else if x < 64 {
				want[1] = uint32(uint64(y) << x >> 40)
			}
			if x != 0 {
				want[2], want[3] = y/x+y%x, uint32(int32(y)/int32(x))
				if y == 1<<31 && x == math.MaxUint32 {
					want[3] = 4
				}
			}
			if f := math.Float32frombits(y); f >= 0 && f < 4e9 {
				want[4] = uint32(f)
			} else if f < 0 && f > -2e9 {
				want[4] = uint32(int32(f))
			}
			if x < n {
				want[5] = iv[x] + iv[iv[x]%n]
			}
			require.Equal(t, want[:], ov[6*i:6*i+6], "work-item %d: %#x, %#x", i, x, y)
		}
	}
	corners(t, guarded)
	if !allCases {
		return
	}
	for _, level := range []string{"-O1", "-O3"} {
		t.Run("gfx950"+level, func(t *testing.T) {
			guarded(t, open(t, Options{Chip: "gfx950"}), cornerImage(t, "gfx950", level))
		})
	}
}

// TestWhatIsGuardedByLanesDoesNotEndKernels is the same with addresses, lanes and 64 bits.
func TestWhatIsGuardedByLanesDoesNotEndKernels(t *testing.T) {
	const n = 256
	r := rand.New(rand.NewPCG(7, 2))
	guarded := func(t *testing.T, d *Driver, image []byte) {
		in, iv := buffer[uint32](t, d, 2*n)
		out, ov := buffer[uint32](t, d, 8*n)
		for i := range iv {
			iv[i] = [...]uint32{r.Uint32(), r.Uint32N(72), 1 << r.Uint32N(32), -r.Uint32N(3), math.Float32bits(float32(r.NormFloat64() * 1e12))}[r.IntN(5)]
		}
		require.NoError(t, run(t, d, image, "guarded_more", d1(n/64), d1(64), in, out, uint32(n)))
		for i := range n {
			first := i &^ 63
			x, y := iv[i], iv[i+n]
			want := [8]uint32{1, 2, 0, 4, 5, 6, 0, x}
			if x&1 != 0 {
				want[0], want[1] = iv[y%n], 2+x
			}
			for l := first; l < first+64; l++ {
				if iv[l]&1 != 0 && iv[l+n]%n&7 == uint32(i&7) {
					want[2] += iv[l+n] & 15
				}
			}
			if x < 64 && iv[first+int(x)] < 64 {
				want[2] += iv[first+int(x)+n]
			}
			if x != 0 {
				want[3] = uint32((uint64(y)<<32|uint64(x))/(uint64(x)<<3|1)) + uint32(bits.LeadingZeros32(x)*100+bits.TrailingZeros32(x))
			}
			if f := math.Float32frombits(y); f >= 0 && f < 1e18 {
				want[4] = uint32(uint64(f) >> 3)
			} else if f < 0 && f > -1e18 {
				want[4] = uint32(int64(f))
			}
			if x < 5 {
				k := uint64(4 - x)
				small := uint16(uint64(x) + k*uint64(y))
				if k == uint64(x) {
					small = uint16(uint64(x)*uint64(y) + k)
				}
				want[5] = uint32(uint64(x)*uint64(y)+uint64(x)) + uint32(small)
			}
			v := func(k uint32) uint32 {
				if k == x {
					return x
				}
				return k * y
			}
			want[6] = v(y&15) + v(3)
			require.Equal(t, want[:], ov[8*i:8*i+8], "work-item %d: %#x, %#x", i, x, y)
		}
	}
	cornersOfGFX9(t, guarded)
	if !allCases {
		return
	}
	for _, level := range []string{"-O1", "-O3"} {
		t.Run("gfx950"+level, func(t *testing.T) {
			guarded(t, open(t, Options{Chip: "gfx950"}), cornerImage(t, "gfx950", level))
		})
	}
}
