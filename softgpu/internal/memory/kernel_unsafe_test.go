package memory

import (
	"math"
	"math/rand/v2"
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
	for _, step := range []uint64{0, 4, 256} {
		var want, got alu.Lanes
		portableGather(&want, &addr, step)
		GatherWords(&got, &addr, step)
		require.Equal(t, want, got)
		for l := range got {
			got[l] = r.Uint32()
		}
		ScatterWords(&got, &addr, step)
		portableGather(&want, &addr, step)
		require.Equal(t, got, want)
		portableScatter(&want, &addr, step)
		GatherWords(&got, &addr, step)
		require.Equal(t, want, got)
	}
}

func TestGatherAndScatterByOffsetAgreeWithPortableOnes(t *testing.T) {
	mem := &samples.Memory{}
	b, base := mem.Add(4096, true)
	samples.Fill(b)
	r := rand.New(rand.NewPCG(4, 5))
	var off, want, got alu.Lanes
	for l, at := range r.Perm(64) {
		off[l] = uint32(at)*32 + 1
	}
	portableGatherAt(&want, &off, base)
	GatherAt(&got, &off, base)
	require.Equal(t, want, got)
	for l := range got {
		got[l] = r.Uint32()
	}
	ScatterAt(&got, &off, base)
	portableGatherAt(&want, &off, base)
	require.Equal(t, got, want)
	for l := range want {
		want[l] = r.Uint32()
	}
	portableScatterAt(&want, &off, base)
	GatherAt(&got, &off, base)
	require.Equal(t, want, got)
}

func TestSpansAgreeWithPortableOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 6))
	for range 300 {
		var same, row, turned, high alu.Lanes
		a, b := new(alu.Lanes), new(alu.Lanes)
		for i := range a {
			a[i], b[i] = uint32(samples.Value(r, 'f')), uint32(samples.Value(r, 'f'))
		}
		high.Fill(a[0])
		same.Fill(a[1])
		for i := range row {
			row[i], turned[i] = b[0]&^(1<<31)+uint32(4*i), math.MaxUint32-99+uint32(4*i)
		}
		for _, c := range [][2]*alu.Lanes{{a, b}, {a, &high}, {&same, &high}, {&row, &high}, {&turned, &high}, {&same, b}} {
			wantLow, wantHigh, wantShape := portableSpan(c[0], c[1])
			gotLow, gotHigh, gotShape := SpanOf(c[0], c[1])
			require.Equal(t, wantShape, gotShape)
			if wantShape != Shapeless {
				require.Equal(t, [2]uint32{wantLow, wantHigh}, [2]uint32{gotLow, gotHigh})
			}
		}
		_, _, shape := SpanOf(&row, &high)
		require.Equal(t, InRow, shape)
	}
}
