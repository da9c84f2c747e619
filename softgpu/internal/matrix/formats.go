package matrix

// MatrixFormats are the formats that CBSZ and BLGP select.
var MatrixFormats = [...]Entry{EntryE4M3, EntryE5M2, EntryE2M3, EntryE3M2, EntryE2M1}

// FormatWidth returns how many registers 32 entries of a format take, 8 for
// those that are reserved.
func FormatWidth(format uint8) uint8 {
	if int(format) >= len(MatrixFormats) {
		return 8
	}
	return uint8(MatrixFormats[format].Bits())
}
