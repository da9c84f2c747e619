package memory

import (
	"math"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/samples"
	"github.com/stretchr/testify/require"
)

func TestGatherAndScatterAgreeWithPortableOnes(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(4096, true)
	samples.Fill(b)
	r := rand.New(rand.NewPCG(4, 4))
	var addr [64]uint64
	for l, at := range r.Perm(64) {
		addr[l] = base + uint64(at)*32 + 1
	}
	for n := range 6 {
		step, lanes := []uint64{0, 4, 256}[n/2], 32<<(n%2)
		var want, got alu.Lanes
		portableGather(&want, &addr, step, lanes)
		GatherWords(&got, &addr, step, lanes)
		require.Equal(t, want, got)
		for l := range lanes {
			got[l] = r.Uint32()
		}
		ScatterWords(&got, &addr, step, lanes)
		portableGather(&want, &addr, step, lanes)
		require.Equal(t, got, want)
		portableScatter(&want, &addr, step, lanes)
		GatherWords(&got, &addr, step, lanes)
		require.Equal(t, want, got)
	}
}

func TestGatherAndScatterByOffsetAgreeWithPortableOnes(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(4096, true)
	samples.Fill(b)
	r := rand.New(rand.NewPCG(4, 5))
	for _, lanes := range []int{32, 64} {
		var off, want, got alu.Lanes
		for l, at := range r.Perm(64) {
			off[l] = uint32(at)*32 + 1
		}
		portableGatherAt(&want, &off, base, lanes)
		GatherAt(&got, &off, base, lanes)
		require.Equal(t, want, got)
		for l := range lanes {
			got[l] = r.Uint32()
		}
		ScatterAt(&got, &off, base, lanes)
		portableGatherAt(&want, &off, base, lanes)
		require.Equal(t, got, want)
		for l := range lanes {
			want[l] = r.Uint32()
		}
		portableScatterAt(&want, &off, base, lanes)
		GatherAt(&got, &off, base, lanes)
		require.Equal(t, want, got)
	}
}

// Eight lanes that would be a row, if the offsets of the last ones did not begin at 0 again.
func TestOffsetsThatGoOverTheEndOf32BitsAreNoRow(t *testing.T) {
	base, unmap, err := new(samples.Memory).AddLarge()
	require.NoError(t, err)
	defer func() { require.NoError(t, unmap()) }()
	for at := int32(-32); at < 32; at++ {
		Store32(base+uint64(uint32(4*at)), uint32(at)) // what is past 4 GiB stays 0
	}
	for first := int32(-9); first < 2; first++ {
		var off, want, got alu.Lanes
		for l := range off {
			off[l] = uint32(4 * (first + int32(l%8)))
		}
		portableGatherAt(&want, &off, base, 64)
		GatherAt(&got, &off, base, 64)
		require.Equal(t, want, got)
		for l := range got {
			got[l] = uint32(first + int32(l%8)) // the same words again
		}
		ScatterAt(&got, &off, base, 64)
		require.Zero(t, Load32(base+1<<32))
	}
}

// Who reads a lane's new flag has its new data, and that of the lanes before it: a writer and a reader at once.
func TestPairsAreMovedAtOnce(t *testing.T) {
	mem := &samples.Memory{}
	_, base := mem.Add(64*16, true)
	var addr [64]uint64
	var off alu.Lanes
	for l := range addr {
		off[l] = uint32(l) * 16
		addr[l] = base + uint64(off[l])
	}
	const times = 20000
	written := make(chan struct{})
	go func() {
		defer close(written)
		var data alu.Lanes
		for n := range uint32(times) {
			data.Fill(n)
			for step := uint64(0); step < 16; step += 8 {
				if n%2 == 0 {
					ScatterPairs(&data, &data, &addr, step, 64)
				} else {
					ScatterPairsAt(&data, &data, &off, base+step, 64)
				}
			}
		}
	}()
	four, two := make([]alu.Lanes, 4), make([]alu.Lanes, 2)
	for n := 0; ; n++ {
		GatherPairs(&four[2], &four[3], &addr, 8, 64)
		GatherPairsAt(&four[0], &four[1], &off, base, 64)
		for l := range addr {
			require.Equal(t, four[2][l], four[3][l])
			require.Equal(t, four[0][l], four[1][l])
			require.GreaterOrEqual(t, four[0][l], four[3][63], "stored before what was loaded before")
		}
		if GatherTogether(four, &off, base, 64) && GatherTogether(two, &off, base, 64) {
			for l := range addr {
				require.GreaterOrEqual(t, four[0][l], four[3][l])
				require.GreaterOrEqual(t, four[0][l], four[3][63])
				require.Equal(t, two[0][l], two[1][l])
			}
		}
		select {
		case <-written:
			return
		default:
		}
	}
}

func TestSpansAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	for range 300 {
		var same, row, turned, ends, high alu.Lanes
		a, b := new(alu.Lanes), new(alu.Lanes)
		for i := range a {
			a[i], b[i] = uint32(samples.Value(r, 'f')), uint32(samples.Value(r, 'f'))
		}
		high.Fill(a[0])
		same.Fill(a[1])
		for i := range row {
			ends[i] = uint32(4 * (i & 31))
			row[i], turned[i] = b[0]&^(1<<31)+uint32(4*i), math.MaxUint32-99+uint32(4*i)
		}
		for n, c := range [][2]*alu.Lanes{{a, b}, {a, &high}, {&same, &high}, {&row, &high}, {&turned, &high}, {&same, b}, {a, &high}, {&row, &high}, {&ends, &high}} {
			lanes := 64 >> (n / 6)
			wantLow, wantHigh, wantShape := portableSpan(c[0], c[1], lanes)
			gotLow, gotHigh, gotShape := SpanOf(c[0], c[1], lanes)
			require.Equal(t, wantShape, gotShape)
			if wantShape != Shapeless {
				require.Equal(t, [2]uint32{wantLow, wantHigh}, [2]uint32{gotLow, gotHigh})
			}
		}
		_, _, shape := SpanOf(&row, &high, 64)
		require.Equal(t, InRow, shape)
		_, _, shape = SpanOf(&ends, &high, 64)
		require.NotEqual(t, InRow, shape)
		_, _, shape = SpanOf(&ends, &high, 32)
		require.Equal(t, InRow, shape)
	}
}

// TestRowsAreReplacedWhereNobodyHasChangedThem has one word changed, or none, for rows of any alignment and any start.
func TestRowsAreReplacedWhereNobodyHasChangedThem(t *testing.T) {
	mem := &samples.Memory{}
	_, base := mem.Add(72*4, true)
	var before, after, got alu.Lanes
	for l := range before {
		before[l], after[l] = uint32(l+1), uint32(l+1)<<16
	}
	for n := range 64 * 64 {
		changed, from, lanes, addr := n%64, n/64%8, 32<<(n&1), base+uint64(n/64%5)*4
		if n%3 == 0 {
			changed = lanes
		}
		for _, replace := range []func(addr uint64, before, after *alu.Lanes, l, lanes int) int{replaceRow, portableReplaceRow} {
			for l, v := range before {
				Store32(addr+uint64(l)*4, v)
			}
			if changed < 64 {
				Store32(addr+uint64(changed)*4, 99)
			}
			end := replace(addr, &before, &after, from, lanes)
			if changed < from || changed >= lanes {
				require.Equal(t, lanes, end)
			} else {
				require.LessOrEqual(t, end, changed)
				require.Greater(t, end, changed-4, "further than the words that are replaced together")
			}
			want := before
			copy(want[from:end], after[from:end])
			if changed < 64 {
				want[changed] = 99
			}
			for l := range got {
				got[l] = Load32(addr + uint64(l)*4)
			}
			require.Equal(t, want, got)
		}
	}
	runtime.KeepAlive(mem)
}

// The race detector's checks of pointers have to allow it.
func TestAtomicsOf32LanesMayEndWithTheirMemory(t *testing.T) {
	mem := &samples.Memory{}
	_, base := mem.Add(32*4, true)
	var off, data, old alu.Lanes
	for l := range off {
		off[l], data[l] = uint32(4*l), uint32(l)
	}
	a := Atomic{Op: AtomicAdd, Off: &off, Data: &data, Old: &old, Base: base, Lanes: 32, Temp: new([2]alu.Pair)}
	a.Shared(InRow)
	a.Alone(InRow)
	for l := range 32 {
		require.Equal(t, uint32(l), old[l])
		require.Equal(t, uint32(2*l), Load32(base+uint64(off[l])))
	}
	runtime.KeepAlive(mem)
}
