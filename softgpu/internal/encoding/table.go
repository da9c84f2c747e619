package encoding

// Segments of FLAT, as encoded.
const (
	SegFlat = iota
	SegScratch
	SegGlobal
)

// Table finds a row by its number. FLAT's number is segment<<7 | op.
type Table [NumEncodings][]*Row

var encodingNames = [NumEncodings]string{
	SOP2: "SOP2", SOPK: "SOPK", SOP1: "SOP1", SOPC: "SOPC", SOPP: "SOPP", SMEM: "SMEM", VOP2: "VOP2", VOP1: "VOP1", VOPC: "VOPC",
	VOP3: "VOP3", VOP3P: "VOP3P", VINTRP: "VINTRP", DS: "DS", FLAT: "FLAT", MUBUF: "MUBUF", MTBUF: "MTBUF", MIMG: "MIMG", EXP: "EXP",
	VOP3PX: "VOP3PX", VOPD: "VOPD", VOPDY: "VOPD Y", VOPD3: "VOPD3", VOPD3Y: "VOPD3 Y", VTENSOR: "VTENSOR",
}

// String returns the manual's name of the encoding.
func (e Encoding) String() string {
	if e < NumEncodings {
		return encodingNames[e]
	}
	return "Encoding(?)"
}
