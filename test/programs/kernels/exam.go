package kernels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/mgpu-runtime/mgpu/test/internal/softgpu"
)

// Row is one kernel's test.
type Row struct {
	File, Name string
	Check      func(*Exam)
}

// Exam is one run of a row.
type Exam struct {
	testing.TB
	*rand.Rand
	device *softgpu.Device
	module *softgpu.Module
	name   string
	target Target
}

// waveLanes is the number of lanes of a wave.
func (x *Exam) waveLanes() int {
	if x.target.Lanes != 0 {
		return x.target.Lanes
	}
	return 64
}

// permutesTo is the lane that ds_bpermute reads for lane l where its address tells lane at: on GFX10 and GFX11 it stays
// within 32 lanes.
func (x *Exam) permutesTo(l, at int) int {
	if x.target.Lanes != 0 && x.target.Chip < "gfx12" {
		return l&32 | at&31
	}
	return at % x.waveLanes()
}

// Run checks a row on a new device.
func (r Row) Run(t *testing.T, target Target) {
	r.runOn(t, target, softgpu.Open(t, target.Chip))
}

// RunChecked is Run on a device with the checker on.
func (r Row) RunChecked(t *testing.T, target Target) {
	r.runOn(t, target, softgpu.OpenChecked(t, target.Chip, "all"))
}

func (r Row) runOn(t *testing.T, target Target, d *softgpu.Device) {
	image := Image(t, r.File, target)
	m, err := d.Load(image)
	if err != nil {
		t.Fatal(err)
	}
	r.Check(r.exam(t, target, d, m))
}

// exam is a run of the row with a code object that is loaded.
func (r Row) exam(t testing.TB, target Target, d *softgpu.Device, m *softgpu.Module) *Exam {
	return &Exam{TB: t, Rand: rand.New(rand.NewPCG(7, uint64(len(r.Name)))), device: d, module: m, name: r.Name, target: target}
}

// Launch runs the row's kernel: groups of items along x.
func (x *Exam) Launch(groups, items int, args ...any) {
	x.Helper()
	x.LaunchGrid(softgpu.Linear(groups, items), args...)
}

// LaunchGrid runs the row's kernel on a grid of any shape.
func (x *Exam) LaunchGrid(g softgpu.Grid, args ...any) {
	x.Helper()
	x.LaunchOther(x.name, g, args...)
}

// LaunchOther runs another kernel of the row's file.
func (x *Exam) LaunchOther(kernel string, g softgpu.Grid, args ...any) {
	x.Helper()
	if err := x.module.Launch(kernel, g, args...); err != nil {
		x.Fatal(err)
	}
}

// In is device memory that holds values.
func In[T any](x *Exam, values []T) softgpu.Buffer {
	x.Helper()
	b, to := Out[T](x, len(values))
	copy(to, values)
	return b
}

// Out is device memory of n zeros, and the memory itself.
func Out[T any](x *Exam, n int) (softgpu.Buffer, []T) {
	x.Helper()
	b := x.device.Alloc(n * softgpu.SizeOf[T]())
	return b, softgpu.View[T](b, n)
}

// Make is n values, each from a call.
func Make[T any](n int, f func(i int) T) []T {
	list := make([]T, n)
	for i := range list {
		list[i] = f(i)
	}
	return list
}

// Equal requires the same elements; NaN equals NaN.
func Equal[T comparable](x *Exam, want, got []T) {
	x.Helper()
	if len(want) != len(got) {
		x.Fatalf("%d elements, not %d", len(got), len(want))
	}
	for i := range want {
		if want[i] != got[i] && (want[i] == want[i] || got[i] == got[i]) {
			x.Fatalf("element %d is %s, not %s", i, spelt(got[i]), spelt(want[i]))
		}
	}
}

func spelt(v any) string {
	switch v := v.(type) {
	case float32:
		return fmt.Sprintf("%g (%#x)", v, math.Float32bits(v))
	case float64:
		return fmt.Sprintf("%g (%#x)", v, math.Float64bits(v))
	}
	return fmt.Sprintf("%v (%#x)", v, v)
}

// Near requires numbers that differ by at most part of their size, or of least.
func Near[T float32 | float64](x *Exam, part, least float64, want, got []T) {
	x.Helper()
	for i := range want {
		w, g := float64(want[i]), float64(got[i])
		if w != g && !(math.Abs(w-g) <= part*max(math.Abs(w), least)) && (w == w || g == g) {
			x.Fatalf("element %d is %v, not within %g of %v", i, g, part, w)
		}
	}
}

// Words are n words of any bits.
func (x *Exam) Words(n int) []uint32 { return Make(n, func(int) uint32 { return x.Uint32() }) }

// Longs are n words of 64 bits, large and small.
func (x *Exam) Longs(n int) []uint64 {
	return Make(n, func(int) uint64 { return x.Uint64() >> []int{0, 0, 1, 31, 40, 60}[x.IntN(6)] })
}

// Bytes are n bytes.
func (x *Exam) Bytes(n int) []byte { return Make(n, func(int) byte { return byte(x.Uint32()) }) }

// Singles are n numbers between lo and hi.
func (x *Exam) Singles(n int, lo, hi float64) []float32 {
	return Make(n, func(int) float32 { return float32(lo + x.Float64()*(hi-lo)) })
}

// Doubles are n numbers between lo and hi.
func (x *Exam) Doubles(n int, lo, hi float64) []float64 {
	return Make(n, func(int) float64 { return lo + x.Float64()*(hi-lo) })
}
