package rows

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/watch"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
	"github.com/stretchr/testify/require"
)

// tensorOrder is what a descriptor says, before it is packed.
type tensorOrder struct {
	count, kind, restore  uint32
	gather, wide          bool
	lds                   uint32
	global                uint64
	mask, size            uint32 // size is the logarithm of an element's bytes
	barrier               bool
	barrierAt             uint32
	pad                   bool
	interval, amount      uint32 // as encoded
	iterate               bool
	times                 uint32 // as encoded
	globalStep, localStep uint64
	tile                  [5]uint32
	bounds                [5]uint32
	strides               [5]uint64
	rows                  []uint32
	store, twoGroups      bool
}

// pack makes the registers of the four groups, by the tables of the manual.
func (o *tensorOrder) pack() (words [20]uint32) {
	flag := func(b bool) uint32 {
		if b {
			return 1
		}
		return 0
	}
	g0, g1, g2, g3 := words[0:4], words[4:12], words[12:16], words[16:20]
	g0[0] = o.count | o.restore<<2 | flag(o.wide)<<30 | flag(o.gather)<<31
	g0[1], g0[2], g0[3] = o.lds, uint32(o.global), uint32(o.global>>32)|o.kind<<30
	g1[0] = o.mask | o.size<<16 | flag(o.barrier)<<18 | flag(o.iterate)<<19 | flag(o.pad)<<20 | o.interval<<22 | o.amount<<25
	g1[1] = o.barrierAt/8 | o.bounds[0]<<16
	g1[2] = o.bounds[0]>>16 | o.bounds[1]<<16
	g1[3] = o.bounds[1]>>16 | o.tile[0]<<16
	g1[4] = o.tile[1] | o.tile[2]<<16
	g1[5] = uint32(o.strides[1])
	g1[6] = uint32(o.strides[1]>>32) | uint32(o.strides[2])<<16
	g1[7] = uint32(o.strides[2] >> 16)
	switch {
	case o.gather && o.wide:
		copy(words[12:20], o.rows)
	case o.gather:
		for n, row := range o.rows {
			words[12+n/2] |= row << (16 * (n % 2))
		}
	case o.iterate:
		g2[0], g2[1] = o.bounds[2], uint32(o.localStep)
		g2[2], g2[3] = uint32(o.globalStep), uint32(o.globalStep>>32)|o.times<<16
	default:
		g2[0], g2[1] = o.bounds[2], o.bounds[3]
		g2[2], g2[3] = uint32(o.strides[3]), uint32(o.strides[3]>>32)|o.tile[3]<<16
		g3[0], g3[1] = uint32(o.strides[4]), uint32(o.strides[4]>>32)|o.bounds[4]<<16
		g3[2] = o.bounds[4]>>16 | o.tile[4]<<16
	}
	return words
}

// refTensor copies one element after another, as the loops of the manual do.
func (o *tensorOrder) refTensor(mem, lds []byte, base uint64) {
	size := uint64(1) << o.size
	times := uint64(1)
	if o.iterate {
		times += uint64(o.times)
	}
	extent := [5]uint64{}
	for n, e := range o.tile {
		extent[n] = max(uint64(e), 1)
	}
	for k := range times {
		laddr, stored := uint64(o.lds)+k*o.localStep*size, uint64(0)
		for v := range extent[4] {
			for u := range extent[3] {
				for z := range extent[2] {
					for y := range extent[1] {
						for x := range extent[0] {
							at := [5]uint64{x, y, z, u, v}
							if o.gather {
								at[1] = uint64(o.rows[y])
							}
							inside, maddr := true, x+k*o.globalStep
							for n := range at {
								inside = inside && (o.tile[n] == 0 || at[n] < uint64(o.bounds[n]))
								if n > 0 && o.tile[n] != 0 {
									maddr += at[n] * o.strides[n]
								}
							}
							maddr = o.global - base + maddr*size
							for b := range size {
								switch beyond := laddr+b >= uint64(len(lds)); {
								case o.store && inside && beyond:
									mem[maddr+b] = 0
								case o.store && inside:
									mem[maddr+b] = lds[laddr+b]
								case o.store || beyond:
								case inside:
									lds[laddr+b] = mem[maddr+b]
								default:
									lds[laddr+b] = 0
								}
							}
							laddr, stored = laddr+size, stored+size
							if o.pad && !o.store && stored>>3 >= 1<<o.interval {
								stored, laddr = 0, laddr+4*(uint64(o.amount)+1)
							}
						}
					}
				}
			}
		}
	}
}

// step binds the copy to the registers from s0 on, without the last two groups where the order is not for them.
func (o *tensorOrder) step(t *testing.T, watched bool) encoding.Step {
	code := []uint32{0xd0710001, 0x7c000000, 0x100c0400}
	if o.store {
		code[0] |= 1 << 14
	}
	if o.twoGroups {
		code[2] |= 0x7c7c0000
	}
	i := instOf(t, encoding.Gfx1250.Wave32(), code)
	step := Bind(i, false)
	require.NotNil(t, step, i.String())
	if watched {
		step = watch.Watched(i, step, 0)
	}
	return step
}

func tensorWave(o *tensorOrder, lds []byte) (*wave.Wave, *samples.Memory) {
	w, mem := rdna4Wave(true)
	words := o.pack()
	copy(w.S[:], words[:])
	w.LDS = lds
	w.SetExec(0) // it does not matter
	return w, mem
}

func randomTensor(r *rand.Rand, base uint64, room uint64) *tensorOrder {
	o := &tensorOrder{count: 1, kind: 2, size: r.Uint32N(4), store: r.IntN(2) == 0, lds: r.Uint32N(64)}
	o.global = base + uint64(r.IntN(33))
	size := uint64(1) << o.size
	rank := 1 + r.IntN(5)
	mode := r.IntN(4)
	if mode < 2 {
		rank = 2 + r.IntN(2)
	}
	if mode == 0 {
		rank = 2
	}
	o.strides[0] = 1
	span := uint64(1)
	for n := range rank {
		o.tile[n] = 1 + r.Uint32N(5)
		if n == 0 {
			o.tile[0] = 1 + r.Uint32N(40)
		}
		o.bounds[n] = r.Uint32N(o.tile[n] + 3)
		if n > 0 {
			o.strides[n] = span + uint64(r.IntN(3))
		}
		span = o.strides[n] * uint64(max(o.tile[n], o.bounds[n])+1)
	}
	switch mode {
	case 0:
		o.gather, o.wide = true, r.IntN(2) == 0
		o.tile[1] = 1 + r.Uint32N(8)
		if !o.wide {
			o.tile[1] = 1 + r.Uint32N(16)
		}
		o.bounds[1] = 1 + r.Uint32N(30)
		for range o.tile[1] {
			o.rows = append(o.rows, r.Uint32N(32))
		}
		o.tile[2], o.strides[2] = r.Uint32N(4), uint64(r.IntN(100)) // are not used
		if !o.store && r.IntN(2) == 0 {
			o.iterate = true // is not used
		}
	case 1:
		o.iterate, o.times = true, r.Uint32N(4)
		o.bounds[rank-1] = o.tile[rank-1] * (o.times + 1)
		o.globalStep, o.localStep = o.strides[rank-1]*uint64(o.tile[rank-1]), uint64(r.IntN(200))
		for n := range rank - 1 {
			o.bounds[n] = max(o.bounds[n], o.tile[n])
		}
	}
	o.twoGroups = rank <= 2 && mode > 1
	if mode != 1 && r.IntN(2) == 0 {
		o.pad, o.interval, o.amount = true, r.Uint32N(5), r.Uint32N(6)
		o.tile[0] = max(o.tile[0]&^3, 4)
	}
	if span*size > room {
		return randomTensor(r, base, room)
	}
	return o
}

func TestCopiesOfTensorsAgreeWithReference(t *testing.T) {
	const room = 1 << 16
	r := rand.New(rand.NewPCG(1250, 3))
	inside, beyond := 0, 0
	for range 800 {
		mem := &samples.Memory{}
		b, base := mem.Add(room+4096, true)
		lds := make([]byte, 6000)
		samples.Fill(b)
		for n := range lds {
			lds[n] = byte(r.Uint32())
		}
		o := randomTensor(r, base, room)
		wantB, wantL := bytes.Clone(b), bytes.Clone(lds)
		ref := *o
		if ref.gather {
			ref.iterate, ref.tile[2] = false, 0
		}
		ref.refTensor(wantB, wantL, base)
		w, _ := tensorWave(o, lds)
		w.Mem = mem
		seen := &recorder{}
		w.Watch = seen
		o.step(t, true)(w)
		require.Equal(t, wave.Running, w.Status, "%+v %+v", w.Fault, o)
		require.True(t, bytes.Equal(wantB, b), "memory: %+v", o)
		require.True(t, bytes.Equal(wantL, lds), "LDS: %+v", o)

		var global, local uint64
		for n := range seen.seen {
			a := &seen.seen[n]
			require.Equal(t, uint64(1), a.Lanes)
			require.Equal(t, a.Segment == wave.Global != o.store, a.Op == wave.Reads)
			if a.Segment == wave.Global {
				global += a.Size
			} else {
				local += a.Size
			}
		}
		if o.store {
			require.Equal(t, global, local, "%+v", o)
		} else if require.GreaterOrEqual(t, local, global); local > global {
			beyond++
		} else {
			inside++
		}
	}
	require.Greater(t, inside, 50)
	require.Greater(t, beyond, 50)
}

// TestCopiesOfTensorsCrossBlocks has rows that lie in two pieces of memory, and one that ends outside of them.
func TestCopiesOfTensorsCrossBlocks(t *testing.T) {
	whole := make([]byte, 4096)
	samples.Fill(whole)
	base := samples.AddressOf(whole)
	for _, end := range []int{4096, 2040} {
		mem := &samples.Memory{Parts: []samples.Part{{Bytes: whole[:1024]}, {Bytes: whole[1024:end]}}}
		o := &tensorOrder{count: 1, kind: 2, size: 1, global: base + 1000, tile: [5]uint32{600}, bounds: [5]uint32{600}, twoGroups: true}
		lds := make([]byte, 2048)
		w, _ := tensorWave(o, lds)
		w.Mem = mem
		o.step(t, false)(w)
		if end == 4096 {
			require.Equal(t, wave.Running, w.Status, "%+v", w.Fault)
			require.Equal(t, whole[1000:2200], lds[:1200])
			continue
		}
		require.Equal(t, wave.Faulted, w.Status)
		require.Equal(t, wave.Fault{Reason: "read from an address that is not mapped", Lane: -1, Addr: base + 2040, PC: w.PC}, *w.Fault)
	}
}

func TestDescriptorsOfTensorsThatAreNotKnown(t *testing.T) {
	whole := tensorOrder{count: 1, kind: 2, tile: [5]uint32{8, 4}, bounds: [5]uint32{8, 4}, strides: [5]uint64{1, 8}}
	for reason, change := range map[string]func(o *tensorOrder){
		"the descriptor of the tensor is one that restores a saved wave":                                                                    func(o *tensorOrder) { o.count = 2 },
		"the descriptor of the tensor has type 0, not 2":                                                                                    func(o *tensorOrder) { o.kind = 0 },
		"a tensor is copied to other workgroups of the cluster, which has one workgroup here":                                               func(o *tensorOrder) { o.mask = 3 },
		"a tensor without elements arrives at a barrier, of which the manual does not tell the effect":                                      func(o *tensorOrder) { o.tile[0], o.barrier = 0, true },
		"a tensor is padded whose rows have 7 bytes, not a multiple of 4":                                                                   func(o *tensorOrder) { o.pad, o.tile[0] = true, 7 },
		"a tile has more than the 327680 bytes of LDS":                                                                                      func(o *tensorOrder) { o.tile = [5]uint32{65535, 65535, 65535, 65535, 65535} },
		"the descriptor of the tensor has row indices of 32 bits, but does not gather rows: MLIR 23 and 24 write that for those of 16 bits": func(o *tensorOrder) { o.wide = true },
		"dimension 2 of a tile is 0, but dimension 3 is not":                                                                                func(o *tensorOrder) { o.tile[3] = 1 },
		"a tensor gathers 9 rows, of 8 at most":                                                                                             func(o *tensorOrder) { o.gather, o.wide, o.tile[1] = true, true, 9 },
		"a tile of 1 dimensions is copied repeatedly, which is for 2 and 3":                                                                 func(o *tensorOrder) { o.iterate, o.tile[1] = true, 0 },
		"a tile is copied 257 times, which is for 256 at most":                                                                              func(o *tensorOrder) { o.iterate, o.times = true, 256 },
		"a tile is copied repeatedly and padded, of which public sources do not tell the effect":                                            func(o *tensorOrder) { o.iterate, o.times, o.pad = true, 1, true },
		"a tile that is copied repeatedly leaves the tensor, of which public sources do not tell the effect":                                func(o *tensorOrder) { o.iterate, o.times, o.globalStep = true, 1, 8 },
		"a tile is copied repeatedly from a tensor whose strides do not ascend, of which public sources do not tell the effect":             func(o *tensorOrder) { o.iterate, o.times, o.globalStep, o.strides[1] = true, 1, 8, 0 },
		"rows of a tensor have addresses of more than 57 bits": func(o *tensorOrder) { // of 71 bits, of which the lower ones are mapped
			o.gather, o.wide, o.tile[1], o.rows, o.bounds[1], o.strides[1] = true, true, 1, []uint32{1 << 31}, 1<<32-1, 1<<40
		},
	} {
		o := whole
		change(&o)
		w, _ := tensorWave(&o, make([]byte, 64))
		w.Watch = &recorder{}
		o.step(t, true)(w)
		require.Equal(t, wave.Faulted, w.Status, reason)
		require.Equal(t, reason, w.Fault.Reason)
		require.Empty(t, w.Watch.(*recorder).seen)
	}
	for name, change := range map[string]func(o *tensorOrder){
		"no tensor":   func(o *tensorOrder) { o.count, o.kind, o.barrier = 0, 0, true },
		"no elements": func(o *tensorOrder) { o.tile[0] = 0 },
		"far rows that are not in the tensor": func(o *tensorOrder) {
			o.store, o.gather, o.wide, o.tile[1], o.rows, o.bounds[1], o.strides[1] = true, true, true, 1, []uint32{1 << 31}, 1<<31, 1<<40
		},
		"no rows to gather": func(o *tensorOrder) { o.gather, o.tile[1] = true, 0 },
	} {
		o := whole
		change(&o)
		w, _ := tensorWave(&o, bytes.Repeat([]byte{7}, 64))
		o.step(t, false)(w)
		require.Equal(t, wave.Running, w.Status, name)
		require.Equal(t, bytes.Repeat([]byte{7}, 64), w.LDS, name)
	}
}

// TestCopiesOfTensorsArriveAtBarriers also has a barrier beyond LDS, which does not exist.
func TestCopiesOfTensorsArriveAtBarriers(t *testing.T) {
	b := make([]byte, 64)
	mem := &samples.Memory{Parts: []samples.Part{{Bytes: b, Write: true}}}
	for _, at := range []uint32{32, 64} {
		o := &tensorOrder{count: 1, kind: 2, size: 2, store: true, global: samples.AddressOf(b), tile: [5]uint32{4}, bounds: [5]uint32{4}, twoGroups: true, barrier: true, barrierAt: at}
		lds := make([]byte, 64)
		lds[32], lds[36] = 1, 6
		w, _ := tensorWave(o, lds)
		w.Mem, w.Watch = mem, &recorder{}
		step := o.step(t, true)
		if step(w); at == 64 {
			require.Equal(t, byte(1), lds[32])
			continue
		}
		require.Equal(t, []byte{0, 0, 0, 0, 6, 0, 0, 0}, lds[32:40])
		step(w)
		require.Equal(t, []byte{6, 0, 0, 0xe0, 6, 0, 0, 0}, lds[32:40], "the next phase")
		seen := w.Watch.(*recorder).seen
		last := seen[len(seen)-1]
		require.Equal(t, []any{wave.Workgroup, wave.Updates, uint64(32), uint64(8)}, []any{last.Segment, last.Op, last.At[0], last.Size})
	}
}
