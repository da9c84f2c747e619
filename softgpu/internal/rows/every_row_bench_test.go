package rows

import (
	"strings"
	"testing"
	"time"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/alu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

// arithmeticRow is a row of vector arithmetic, bound to registers.
type arithmeticRow struct {
	name string
	step encoding.Step
	wave *wave.Wave
}

// arithmeticRows are those that chip executes.
func arithmeticRows(chip encoding.Chip) (rows []arithmeticRow) {
	const dst, a, c, e = 20, 0x108, 0x10c, 0x110
	for _, s := range subjects(chip) {
		p := pair{lo: encoding.Prefixes[encoding.GFX9][s.enc] | opcodeBits(encoding.Gfx906, s)}
		switch s.enc {
		case encoding.VOP1:
			p.lo |= dst<<17 | a
		case encoding.VOP2, encoding.VOPC:
			p.lo |= dst<<17 | c&0xff<<9 | a
		case encoding.VOP3:
			p.lo |= dst
			p.hi = a | c<<9 | e<<18
		case encoding.VOP3P: // op_sel_hi as usual
			p.lo |= dst | 1<<14
			p.hi = a | c<<9 | e<<18 | 3<<27
		default:
			continue
		}
		i, err := Decode(p.bytes(), 0, chip)
		if s.suffix != encoding.Plain || err != nil || !Executable(&i) || strings.Contains(s.row.Name, "mfma") || strings.Contains(s.row.Name, "mfmac") {
			continue
		}
		w := newWave()
		w.V, w.A = make([]alu.Lanes, 128), make([]alu.Lanes, 128)
		for n := range w.V {
			for l := range w.V[n] {
				w.V[n][l] = 0x3f803c00 + uint32(l*67+n)
			}
		}
		rows = append(rows, arithmeticRow{s.row.Name + "_" + s.enc.String(), i.Row.Do(&i), w})
	}
	return rows
}

// TestArithmeticNeedsNoHeap wants steps to allocate nothing once they have run: the heap's
// rows were the slowest.
func TestArithmeticNeedsNoHeap(t *testing.T) {
	for chip := range encoding.NumGFX9 {
		for _, r := range arithmeticRows(chip) {
			if n := testing.AllocsPerRun(1, func() { r.step(r.wave) }); n != 0 {
				t.Errorf("%v: %s allocates %v times", chip, r.name, n)
			}
		}
	}
}

// BenchmarkEveryRow times one wave instruction of each row of vector arithmetic that
// gfx950 executes: the best of as many rounds of 50 as -benchtime says (200x is enough),
// which a busy machine disturbs little.
func BenchmarkEveryRow(b *testing.B) {
	for _, r := range arithmeticRows(encoding.Gfx950) {
		b.Run(r.name, func(b *testing.B) {
			best := time.Duration(1 << 62)
			for range b.N {
				from := time.Now()
				for range 50 {
					r.step(r.wave)
				}
				best = min(best, time.Since(from))
			}
			b.ReportMetric(float64(best)/50, "best-ns")
		})
	}
}
