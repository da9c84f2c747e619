package alu

import "testing"

func TestTablesOfHalvesHoldWhatTheFunctionsGive(t *testing.T) {
	f := OnF16(Exp32)
	table := &HalfTable{Of: f}
	var d, a Lanes
	for range 2 { // filled, and read
		for first := uint32(0); first < 1<<16; first += 64 {
			for l := range a {
				a[l] = first + uint32(l) | 0xabcd0000
			}
			table.Kernel(&d, &a)
			for l := range d {
				if want := uint32(f(uint64(a[l]&0xffff), 0, 0)); d[l] != want {
					t.Fatalf("of %#x: %#x, not %#x", a[l], d[l], want)
				}
			}
		}
	}
}
