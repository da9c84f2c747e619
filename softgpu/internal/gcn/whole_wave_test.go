package gcn

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTablesOfHalvesHoldWhatTheFunctionsGive(t *testing.T) {
	f := onF16(exp32)
	table := &halfTable{of: f}
	var d, a Lanes
	for range 2 { // filled, and read
		for first := uint32(0); first < 1<<16; first += 64 {
			for l := range a {
				a[l] = first + uint32(l) | 0xabcd0000
			}
			table.kernel(&d, &a)
			for l := range d {
				if want := uint32(f(uint64(a[l]&0xffff), 0, 0)); d[l] != want {
					t.Fatalf("of %#x: %#x, not %#x", a[l], d[l], want)
				}
			}
		}
	}
}

// Lanes move by a table where all are active, and one by one elsewhere.
func TestLanesMoveInWholeWavesAsOneByOne(t *testing.T) {
	for ctrl := range 0x160 {
		if !dppKnown(ctrl) {
			continue
		}
		p := bindDPP(&Inst{DPPCtrl: uint16(ctrl), RowMask: 0xd, BankMask: 0x7})
		w := newWave()
		var in, whole, partly Lanes
		for l := range in {
			in[l] = uint32(l) + 100
		}
		p.move(w, &whole, &in)
		wrote := p.writers(full)
		const without = 1 << 37
		w.SetExec(full &^ without)
		p.move(w, &partly, &in)
		for l, from := range p.from {
			if from == 37 {
				partly[l] = in[37]
			}
			assert.Equal(t, whole[l], partly[l], "control %#x, lane %d", ctrl, l)
			assert.Equal(t, p.write>>l&1 != 0 && from >= 0, wrote>>l&1 != 0, "control %#x, lane %d", ctrl, l)
		}
	}
}
