package rows

import "github.com/mgpu-runtime/mgpu/softgpu/internal/encoding"

func gfx11Rows() []rowSet {
	return []rowSet{
		{encoding.SOP2, rows11SOP2(), 0}, {encoding.SOPK, rows11SOPK(), 0}, {encoding.SOP1, rows11SOP1(), 0}, {encoding.SOPC, rows11SOPC(), 0}, {encoding.SOPP, rows11SOPP(), 0},
		{encoding.SMEM, rows11SMEM(), 0}, {encoding.VOP2, rows11VOP2(), 0}, {encoding.VOP1, rows11VOP1(), 0}, {encoding.VOPC, rows11VOPC(), 0},
		{encoding.VOP3, rows11VOPC(), 0}, {encoding.VOP3, rows11VOP2(), encoding.Vop2InVOP3}, {encoding.VOP3, rows11VOP1(), encoding.Sets[encoding.GFX11].Vop1InVOP3}, {encoding.VOP3, rows11VOP3(), 0},
		{encoding.VOP3P, rows11VOP3P(), 0}, {encoding.VOP3P, rows11WMMA(), 0}, {encoding.VOPD, rows11VOPD(), 0}, {encoding.VOPDY, rows11VOPDY(), 0}, {encoding.DS, rows11DS(), 0},
		{encoding.FLAT, rows11Flat(), encoding.SegFlat << 7}, {encoding.FLAT, rows11Scratch(), encoding.SegScratch << 7}, {encoding.FLAT, rows11Global(), encoding.SegGlobal << 7},
		{encoding.MUBUF, rows11MUBUF(), 0}, {encoding.MTBUF, rows11MTBUF(), 0},
		{encoding.SOP2, rows11Salu().sop2, 0}, {encoding.SOP1, rows11Salu().sop1, 0}, {encoding.SOPC, rows11Salu().sopc, 0},
	}
}
