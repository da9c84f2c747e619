package gcn

func gfx11Rows() []rowSet {
	return []rowSet{
		{SOP2, rows11SOP2(), 0}, {SOPK, rows11SOPK(), 0}, {SOP1, rows11SOP1(), 0}, {SOPC, rows11SOPC(), 0}, {SOPP, rows11SOPP(), 0},
		{SMEM, rows11SMEM(), 0}, {VOP2, rows11VOP2(), 0}, {VOP1, rows11VOP1(), 0}, {VOPC, rows11VOPC(), 0},
		{VOP3, rows11VOPC(), 0}, {VOP3, rows11VOP2(), vop2InVOP3}, {VOP3, rows11VOP1(), sets[GFX11].vop1InVOP3}, {VOP3, rows11VOP3(), 0},
		{VOP3P, rows11VOP3P(), 0}, {VOPD, rows11VOPD(), 0}, {VOPDY, rows11VOPDY(), 0}, {DS, rows11DS(), 0},
		{FLAT, rows11Flat(), segFlat << 7}, {FLAT, rows11Scratch(), segScratch << 7}, {FLAT, rows11Global(), segGlobal << 7},
		{MUBUF, rows11MUBUF(), 0}, {MTBUF, rows11MTBUF(), 0},
	}
}
