package emu

import (
	"testing"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// FuzzNewProgram decodes and binds any words: it may refuse them, no more.
func FuzzNewProgram(f *testing.F) {
	f.Add([]byte{0, 0, 0x81, 0xbf}, uint32(0), uint32(4))
	f.Add([]byte{0x00, 0x80, 0x50, 0xdc, 0x02, 0x00, 0x00, 0x01, 0xff, 0x80}, uint32(0), uint32(8))
	f.Fuzz(func(t *testing.T, code []byte, start, end uint32) {
		if p, err := NewProgram(Text{Chip: encoding.Gfx906, Code: code, Base: 0x1000, Ranges: []Range{{"f", start, end}}}); err == nil && start < end {
			_, _ = p.reach(start, false)
		}
		p, err := NewProgram(Text{Chip: encoding.Gfx900, Code: code, Base: 0x1000})
		if err != nil {
			t.Fatal("words outside all functions may be anything: ", err)
		}
		for pc := range uint32(len(code) / 4) {
			p.text(pc)
			p.place(pc)
			p.before(pc)
			var c cursor
			if p.has(pc) {
				p.pageFor(&c, &p.segment, pc, pc&1, 1)
			}
		}
	})
}
