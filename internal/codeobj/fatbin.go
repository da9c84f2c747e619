package codeobj

import "fmt"

const fatbinMagic = "\x50\xed\x55\xba"

// fatbinExtent reads a fat binary's header: magic, version and header size (16
// bits each), and the size of what follows.
func fatbinExtent(src source) (Kind, uint64, error) {
	var b [16]byte
	if err := src(b[:], 0); err != nil {
		return KindUnknown, 0, fmt.Errorf("CUDA fatbin: header: %w", err)
	}
	headerSize := uint64(le.Uint16(b[6:]))
	if headerSize < uint64(len(b)) {
		return KindUnknown, 0, fmt.Errorf("CUDA fatbin: a header of %d bytes is too short", headerSize)
	}
	return KindFatbin, end(headerSize, le.Uint64(b[8:])), nil
}
