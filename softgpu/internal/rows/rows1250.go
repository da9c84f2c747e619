package rows

import (
	"sync"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"
)

// gfx1250Rows are the rows of GFX12.5: those of GFX12 with changes.
var gfx1250Rows = sync.OnceValue(func() []rowSet {
	of := func(enc encoding.Encoding, base uint16, c change) []encoding.Row {
		for _, s := range gfx12Rows() {
			if s.enc == enc && s.base == base {
				return c.of(s.rows)
			}
		}
		return nil
	}
	vop3p := func() []encoding.Row {
		var rows []encoding.Row
		for _, s := range gfx12Rows() {
			if s.enc == encoding.VOP3P {
				rows = append(rows, s.rows...)
			}
		}
		return rows1250VOP3P().of(rows)
	}
	vop3 := func() []encoding.Row { // those without another form come last
		var last []encoding.Row
		for _, s := range gfx12Rows() {
			if s.enc == encoding.VOP3 && s.base == 0 {
				last = s.rows
			}
		}
		return rows1250VOP3().of(last)
	}
	vop2, vop1, vopc := of(encoding.VOP2, 0, rows1250VOP2()), of(encoding.VOP1, 0, rows1250VOP1()), of(encoding.VOPC, 0, change{})
	return []rowSet{
		{encoding.SOP2, of(encoding.SOP2, 0, change{}), 0}, {encoding.SOPK, of(encoding.SOPK, 0, rows1250SOPK()), 0}, {encoding.SOP1, of(encoding.SOP1, 0, rows1250SOP1()), 0},
		{encoding.SOPC, of(encoding.SOPC, 0, change{}), 0}, {encoding.SOPP, of(encoding.SOPP, 0, rows1250SOPP()), 0}, {encoding.SMEM, of(encoding.SMEM, 0, change{}), 0},
		{encoding.VOP2, vop2, 0}, {encoding.VOP1, vop1, 0}, {encoding.VOPC, vopc, 0},
		{encoding.VOP3, vopc, 0}, {encoding.VOP3, vop2, encoding.Vop2InVOP3}, {encoding.VOP3, vop1, encoding.Sets[encoding.GFX1250].Vop1InVOP3}, {encoding.VOP3, vop3(), 0},
		{encoding.VOP3P, vop3p(), 0}, {encoding.VOP3P, rows1250WMMA(), 0}, {encoding.VOP3PX, rows1250Scaled(), 0},
		{encoding.VOPD, of(encoding.VOPD, 0, change{}), 0}, {encoding.VOPDY, of(encoding.VOPDY, 0, rows1250VOPDY()), 0},
		{encoding.VOPD3, rows1250VOPD3(), 0}, {encoding.VOPD3Y, rows1250VOPD3Y(), 0}, {encoding.DS, of(encoding.DS, 0, rows1250DS()), 0},
		{encoding.FLAT, withScalarAddress(of(encoding.FLAT, encoding.SegFlat<<7, rows1250Flat())), encoding.SegFlat << 7},
		{encoding.FLAT, of(encoding.FLAT, encoding.SegScratch<<7, change{}), encoding.SegScratch << 7},
		{encoding.FLAT, of(encoding.FLAT, encoding.SegGlobal<<7, rows1250Global()), encoding.SegGlobal << 7},
		{encoding.MUBUF, of(encoding.MUBUF, 0, rows1250MUBUF()), 0}, {encoding.VTENSOR, rows1250Tensor(), 0},
	}
})
