package gcn

import (
	"strings"
	"testing"
	"time"
)

// BenchmarkEveryRow times one wave instruction of each row of vector arithmetic that
// gfx950 executes: the best of as many rounds of 50 as -benchtime says (200x is enough),
// which a busy machine disturbs little.
func BenchmarkEveryRow(b *testing.B) {
	const dst, a, c, e = 20, 0x108, 0x10c, 0x110
	for _, s := range subjects(Gfx950) {
		p := pair{lo: prefixes[s.enc] | opcodeBits(s)}
		switch s.enc {
		case VOP1:
			p.lo |= dst<<17 | a
		case VOP2, VOPC:
			p.lo |= dst<<17 | c&0xff<<9 | a
		case VOP3:
			p.lo |= dst
			p.hi = a | c<<9 | e<<18
		case VOP3P: // op_sel_hi as usual
			p.lo |= dst | 1<<14
			p.hi = a | c<<9 | e<<18 | 3<<27
		default:
			continue
		}
		i, err := Decode(p.bytes(), 0, Gfx950)
		if s.suffix != Plain || err != nil || !Executable(&i) || strings.Contains(s.row.Name, "mfma") || strings.Contains(s.row.Name, "mfmac") {
			continue
		}
		b.Run(s.row.Name+"_"+s.enc.String(), func(b *testing.B) {
			w := newWave()
			w.V, w.A = make([]Lanes, 128), make([]Lanes, 128)
			for n := range w.V {
				for l := range w.V[n] {
					w.V[n][l] = 0x3f803c00 + uint32(l*67+n)
				}
			}
			step := i.Row.Do(&i)
			best := time.Duration(1 << 62)
			for range b.N {
				from := time.Now()
				for range 50 {
					step(w)
				}
				best = min(best, time.Since(from))
			}
			b.ReportMetric(float64(best)/50, "best-ns")
		})
	}
}
