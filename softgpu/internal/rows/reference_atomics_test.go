package rows

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// refAtomic is what an atomic instruction leaves in memory, from what was there
// and from its two sources in the order of its text (one, for most).
type refAtomic struct {
	letter byte // of its values
	f      func(old, x, y uint64) uint64
}

// refAtomics has the second implementation of the atomics, by their names
// without the parts that tell the memory and whether the old value is returned.
func refAtomics() map[string]refAtomic {
	all := map[string]refAtomic{}
	for _, t := range []struct {
		bits     uint
		lds, far string
		letter   byte
	}{{32, "32", "", 'i'}, {64, "64", "_x2", 'I'}} {
		signed := func(x uint64) int64 { return int64(x<<(64-t.bits)) >> (64 - t.bits) }
		add := func(lds, far string, f func(old, x, y uint64) uint64) {
			all[lds+t.lds] = refAtomic{t.letter, f}
			all[far+t.far] = refAtomic{t.letter, f}
		}
		pick := func(first bool, x, y uint64) uint64 {
			if first {
				return x
			}
			return y
		}
		add("add_u", "add", func(old, x, _ uint64) uint64 { return old + x })
		add("sub_u", "sub", func(old, x, _ uint64) uint64 { return old - x })
		add("rsub_u", "rsub", func(old, x, _ uint64) uint64 { return x - old })
		add("inc_u", "inc", func(old, x, _ uint64) uint64 { return pick(old >= x, 0, old+1) })
		add("dec_u", "dec", func(old, x, _ uint64) uint64 { return pick(old == 0 || old > x, x, old-1) })
		add("min_i", "smin", func(old, x, _ uint64) uint64 { return pick(signed(x) < signed(old), x, old) })
		add("max_i", "smax", func(old, x, _ uint64) uint64 { return pick(signed(x) > signed(old), x, old) })
		add("min_u", "umin", func(old, x, _ uint64) uint64 { return pick(x < old, x, old) })
		add("max_u", "umax", func(old, x, _ uint64) uint64 { return pick(x > old, x, old) })
		add("and_b", "and", func(old, x, _ uint64) uint64 { return old & x })
		add("or_b", "or", func(old, x, _ uint64) uint64 { return old | x })
		add("xor_b", "xor", func(old, x, _ uint64) uint64 { return old ^ x })
		add("mskor_b", "", func(old, x, y uint64) uint64 { return old&^x | y })
		add("wrxchg_b", "swap", func(_, x, _ uint64) uint64 { return x })
		add("cmpst_b", "", func(old, x, y uint64) uint64 { return pick(old == x, y, old) })
		add("", "cmpswap", func(old, x, y uint64) uint64 { return pick(old == y, x, old) })
		add("wrap_b", "", func(old, x, y uint64) uint64 { return pick(old >= x, old-x, old+y) })
	}
	all["condxchg32_b64"] = refAtomic{'I', func(old, x, _ uint64) uint64 {
		low, high := old&math.MaxUint32, old>>32
		if x&0x80000000 != 0 {
			low = x & 0x7fffffff
		}
		if x>>63 != 0 {
			high = x >> 32 & 0x7fffffff
		}
		return low | high<<32
	}}
	all["cmpst_f32"] = refAtomic{'f', func(old, x, y uint64) uint64 {
		if f32of(old) == f32of(x) {
			return y
		}
		return old
	}}
	all["cmpst_f64"] = refAtomic{'F', func(old, x, y uint64) uint64 {
		if f64of(old) == f64of(x) {
			return y
		}
		return old
	}}
	all["barrier_arrive_b64"] = refAtomic{'I', func(old, x, _ uint64) uint64 {
		pending, phase, reload := old&0x1fffffff, old>>29&7, old>>32&0xffff
		if x <= pending {
			return old - x
		}
		ends := (x - pending + reload) / (reload + 1) // phases that end
		return old&^0xffffffff | (phase-ends)&7<<29 | (pending+ends*(reload+1)-x)&0x1fffffff
	}}
	vector := semantics()
	for name, letter := range map[string]byte{"add_f32": 'f', "min_f32": 'f', "max_f32": 'f', "add_f64": 'F', "min_f64": 'F', "max_f64": 'F'} {
		all[name] = refAtomic{letter, func(old, x, _ uint64) uint64 {
			r, _ := vector["v_"+name](refLane{a: old, b: x})
			return r
		}}
	}
	pairs := func(add func(x, y uint64) uint64) refAtomic {
		return refAtomic{'p', func(old, x, _ uint64) uint64 {
			return add(old&0xffff, x&0xffff) | add(old>>16, x>>16)<<16
		}}
	}
	all["pk_add_f16"] = pairs(func(x, y uint64) uint64 {
		r, _ := vector["v_add_f16"](refLane{a: x, b: y})
		return r
	})
	all["pk_add_bf16"] = pairs(func(x, y uint64) uint64 {
		r := b32(f32of(x<<16) + f32of(y<<16))
		if alu.IsNaN32(uint32(r)) {
			return 0x7fc0
		}
		return (r + 0x7fff + r>>16&1) >> 16 & 0xffff
	})
	return all
}

// atomicWords encodes an atomic: its address in v[4:5], or an offset in v4, its
// sources from v8 on and, in LDS, from v10 on; it returns to v[20:21], or a
// buffer's to where its data were. returns is for the encodings that have a bit.
func atomicWords(enc encoding.Encoding, row *encoding.Row, seg uint32, returns bool) []uint32 {
	op, glc := uint32(row.Op), uint32(0)
	if returns {
		glc = 1
	}
	switch enc {
	case encoding.DS:
		hi := uint32(4 | 8<<8)
		if row.Form.Src[2].Class != encoding.NoSlot {
			hi |= 10 << 16
		}
		if row.Form.Dst.Class != encoding.NoSlot {
			hi |= 20 << 24
		}
		return []uint32{0x36<<26 | op<<17, hi}
	case encoding.FLAT:
		saddr := uint32(0)
		if seg == encoding.SegGlobal {
			saddr = noSaddr
		}
		return []uint32{0x37<<26 | op<<18 | seg<<14 | glc<<16, 4 | 8<<8 | saddr<<16 | uint32(20)<<24}
	}
	return []uint32{0x38<<26 | op<<18 | 1<<12 | glc<<14, 4 | 8<<8 | uint32(128)<<24}
}

// TestEveryAtomicAgreesWithReference runs the atomics of all encodings and chips
// on random values, with some lanes inactive.
func TestEveryAtomicAgreesWithReference(t *testing.T) {
	all := refAtomics()
	r := rand.New(rand.NewPCG(11, 12))
	for _, set := range []struct {
		enc    encoding.Encoding
		seg    uint32
		prefix string
		rows   []encoding.Row
	}{
		{encoding.DS, 0, "ds_", rowsDS()}, {encoding.FLAT, encoding.SegFlat, "flat_atomic_", rowsFlat()}, {encoding.FLAT, encoding.SegGlobal, "global_atomic_", rowsGlobal()}, {encoding.MUBUF, 0, "buffer_atomic_", rowsMUBUF()},
	} {
		ran := map[*encoding.Row]bool{}
		for n := range set.rows {
			row := &set.rows[n]
			touch, touches := watch.Touches(&encoding.Inst{Row: row, Enc: set.enc})
			if row.Do == nil || !touches || touch.Op != wave.Updates {
				continue
			}
			if strings.Contains(row.Name, "wrxchg2") || row.Name == "ds_append" || row.Name == "ds_consume" {
				continue // TestExchangesInTwoPlacesAgreeWithReference, TestLDSThatM0Addresses
			}
			ref, known := all[strings.Replace(strings.TrimPrefix(row.Name, set.prefix), "rtn_", "", 1)]
			require.True(t, known, "%s has no reference", row.Name)
			for chip := range encoding.NumGFX9 {
				for _, returns := range []bool{false, true} {
					i, err := decodeWords(atomicWords(set.enc, row, set.seg, returns), chip)
					if err != nil || i.Row != row {
						continue
					}
					waves := 1
					if !ran[row] {
						ran[row], waves = true, lanesEach()/640
					}
					require.Equal(t, uint64(ref.words())*4, touch.Size, row.Name)
					for range waves {
						runAtomic(t, r, &i, ref)
					}
				}
			}
			require.True(t, ran[row], "%s was not decoded", row.Name)
		}
		require.Greater(t, len(ran), 20, set.prefix)
	}
}

// words is how many registers hold a value.
func (a refAtomic) words() int {
	if wideLetter(a.letter) {
		return 2
	}
	return 1
}

func (a refAtomic) random(r *rand.Rand) uint64 {
	if a.letter == 'p' {
		return samples.Value(r, 'h') | samples.Value(r, 'h')<<16
	}
	return samples.Value(r, a.letter)
}

func (a refAtomic) agree(x, y uint64) bool {
	if a.letter != 'p' {
		return x == y || samples.IsNaN(a.letter, x) && samples.IsNaN(a.letter, y)
	}
	nan := func(x uint64) bool { return x&0x7c00 == 0x7c00 && x&0x3ff != 0 }
	low, high := x&0xffff == y&0xffff || nan(x) && nan(y), x>>16 == y>>16 || nan(x>>16) && nan(y>>16)
	return low && high
}

// runAtomic runs i on eight bytes for each lane, which are device memory and LDS alike.
func runAtomic(t *testing.T, r *rand.Rand, i *encoding.Inst, ref refAtomic) {
	t.Helper()
	mem := &samples.Memory{}
	bytes, base := mem.Add(64*8, true)
	w := randomWave(r)
	w.Mem, w.LDS = mem, bytes
	w.SetExec(r.Uint64() | r.Uint64())
	switch i.Enc {
	case encoding.FLAT:
		pointers(w, 4, base, 8)
	default:
		pointers(w, 4, 0, 8)
	}
	w.SetS64(0, base)
	w.S[2], w.S[3] = 64*8, 0
	words, result := ref.words(), 20
	first, second := 8, 8+words
	switch i.Enc {
	case encoding.DS:
		second = 10
	case encoding.MUBUF:
		result = 8
	}
	values := make([][3]uint64, 64)
	for l := range values {
		for n := range values[l] {
			values[l][n] = ref.random(r)
			if n > 0 && r.IntN(3) == 0 {
				values[l][n] = values[l][0] // so that comparisons meet
			}
		}
		binary.LittleEndian.PutUint64(bytes[8*l:], values[l][0])
		for n, reg := range []int{first, second} {
			for k := range words {
				w.V[reg+k][l] = uint32(values[l][n+1] >> (32 * k))
			}
		}
	}
	before := append([]alu.Lanes(nil), w.V...)
	i.Row.Do(i)(w)
	require.Equal(t, wave.Running, w.Status, "%s: %+v", i, w.Fault)
	for l, in := range values {
		want := in[0]
		mask := uint64(1)<<(32*words-1)<<1 - 1
		if w.Exec()>>l&1 != 0 {
			want = want&^mask | ref.f(in[0], in[1], in[2])&mask
		}
		got := binary.LittleEndian.Uint64(bytes[8*l:])
		require.True(t, ref.agree(want, got), "%s of %#x: memory holds %#x, want %#x", i, in, got, want)
		for k := range words {
			want := before[result+k][l]
			if w.Exec()>>l&1 != 0 && i.Dst.Kind != encoding.NoOperand {
				want = uint32(in[0] >> (32 * k))
			}
			require.Equal(t, want, w.V[result+k][l], "%s returned something else than was there", i)
		}
	}
}

// refExchange2 is the manual's text: the two places of a lane are read, then written.
func refExchange2(memory []byte, places [2]int, size int, data [2]uint64) (old [2]uint64) {
	inside := func(at int) bool { return at+size <= len(memory) }
	word := func(at int) []byte { return memory[at : at+size] }
	for n, at := range places {
		if inside(at) {
			old[n] = uint64(binary.LittleEndian.Uint32(word(at)))
			if size == 8 {
				old[n] = binary.LittleEndian.Uint64(word(at))
			}
		}
	}
	for n, at := range places {
		if inside(at) {
			copy(word(at), binary.LittleEndian.AppendUint64(nil, data[n])[:size])
		}
	}
	return old
}

// TestExchangesInTwoPlacesAgreeWithReference has lanes whose places are one, lie beyond
// the end, and are each other's; results that are the operands; and inactive lanes.
func TestExchangesInTwoPlacesAgreeWithReference(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for n := range rowsDS() {
		row := &rowsDS()[n]
		if !strings.Contains(row.Name, "wrxchg2") {
			continue
		}
		touch, _ := watch.Touches(&encoding.Inst{Row: row, Enc: encoding.DS})
		size, by := int(touch.Size), int(touch.Size)
		if strings.Contains(row.Name, "st64") {
			by *= 64
		}
		words := size / 4
		require.Equal(t, strings.HasSuffix(row.Name, "_b64"), size == 8, row.Name)
		for chip := range encoding.NumGFX9 {
			for range 40 {
				offsets := [2]int{r.IntN(4), r.IntN(4)}
				dst := []uint32{20, 4, 8, 10}[r.IntN(4)]
				code := []uint32{0x36<<26 | uint32(row.Op)<<17 | uint32(offsets[0]|offsets[1]<<8), 4 | 8<<8 | 10<<16 | dst<<24}
				i, err := decodeWords(code, chip)
				require.NoError(t, err)
				require.Equal(t, row, i.Row)
				w := randomWave(r)
				w.LDS = make([]byte, 24*by/16*16)
				for n := range w.LDS {
					w.LDS[n] = byte(r.Uint32())
				}
				w.SetExec(r.Uint64() | r.Uint64())
				for l := range 64 {
					w.V[4][l] = uint32(r.IntN(30) * size)
				}
				memory, before := append([]byte(nil), w.LDS...), append([]alu.Lanes(nil), w.V...)
				var want [64][2]uint64
				for l := range 64 {
					if w.Exec()>>l&1 == 0 {
						continue
					}
					var places [2]int
					var data [2]uint64
					for n := range places {
						places[n] = int(before[4][l]) + offsets[n]*by
						data[n] = alu.Join(before[8+2*n][l], before[9+2*n][l])
					}
					want[l] = refExchange2(memory, places, size, data)
				}
				i.Row.Do(&i)(w)
				require.Equal(t, wave.Running, w.Status, "%s: %+v", &i, w.Fault)
				require.Equal(t, memory, w.LDS, "%s", &i)
				for l := range 64 {
					for n := range 2 * words {
						x := uint32(want[l][n/words] >> (32 * (n % words)))
						if w.Exec()>>l&1 == 0 {
							x = before[int(dst)+n][l]
						}
						require.Equal(t, x, w.V[int(dst)+n][l], "%s: lane %d", &i, l)
					}
				}
			}
		}
	}

	w := newWave()
	w.LDS = make([]byte, 64)
	w.V[4].Fill(2)
	stepOf(t, ds(t, "ds_wrxchg2_rtn_b32", 20, 4, 8, 10, 1<<8))(w)
	require.Equal(t, wave.Faulted, w.Status)
	require.Contains(t, w.Fault.Reason, "not aligned")
	require.False(t, Executable(inst(t, gds(ds(t, "ds_wrxchg2_rtn_b32", 20, 4, 8, 10, 1<<8)))), "global data share")
}

func gds(words []uint32) []uint32 { return append([]uint32{words[0] | 1<<16}, words[1:]...) }

func decodeWords(words []uint32, chip encoding.Chip) (encoding.Inst, error) {
	var code []byte
	for _, w := range words {
		code = binary.LittleEndian.AppendUint32(code, w)
	}
	return Decode(code, 0, chip)
}
