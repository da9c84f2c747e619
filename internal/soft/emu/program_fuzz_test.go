package emu

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/internal/soft/gcn"
)

// FuzzNewProgram decodes and binds any words: it may refuse them, no more.
func FuzzNewProgram(f *testing.F) {
	f.Add([]byte{0, 0, 0x81, 0xbf}, uint32(0), uint32(4))
	f.Add([]byte{0x00, 0x80, 0x50, 0xdc, 0x02, 0x00, 0x00, 0x01, 0xff, 0x80}, uint32(0), uint32(8))
	f.Fuzz(func(t *testing.T, code []byte, start, end uint32) {
		_, _ = NewProgram(gcn.Gfx906, code, 0x1000, []Range{{"f", start, end}})
		p, err := NewProgram(gcn.Gfx900, code, 0x1000, nil)
		if err != nil {
			t.Fatal("words outside all functions may be anything: ", err)
		}
		for pc := range uint32(len(code) / 4) {
			p.text(pc)
			p.place(pc)
			p.before(pc)
		}
	})
}
