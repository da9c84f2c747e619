package codeobj

import (
	"errors"
	"fmt"
)

var errLZ4 = errors.New("LZ4 data is damaged")

// unpackLZ4 decompresses an LZ4 block to a known length. Larger lengths than 255 times the block are refused, since no
// block expands more.
func unpackLZ4(src []byte, size uint64) ([]byte, error) {
	if size > 255*uint64(len(src)) || size > maxExtent {
		return nil, fmt.Errorf("LZ4 data: %d bytes cannot become %d", len(src), size)
	}
	dst := make([]byte, 0, size)
	for len(src) > 0 {
		token := src[0]
		literals, rest, ok := lz4Length(src[1:], token>>4)
		if !ok || literals > len(rest) || literals > cap(dst)-len(dst) {
			return nil, errLZ4
		}
		dst = append(dst, rest[:literals]...)
		if src = rest[literals:]; len(src) == 0 {
			break // the last sequence has literals only
		}
		if len(src) < 2 {
			return nil, errLZ4
		}
		back := int(le.Uint16(src))
		match, rest, ok := lz4Length(src[2:], token&15)
		if match += 4; !ok || back == 0 || back > len(dst) || match > cap(dst)-len(dst) {
			return nil, errLZ4
		}
		for from := len(dst) - back; match > 0; match-- { // the source may overlap the destination
			dst = append(dst, dst[from])
			from++
		}
		src = rest
	}
	if uint64(len(dst)) != size {
		return nil, fmt.Errorf("LZ4 data: %d bytes came out, not %d", len(dst), size)
	}
	return dst, nil
}

// lz4Length reads a length whose low part is in a token. 15 means that further bytes are added, up to one that is not
// 255.
func lz4Length(src []byte, low byte) (n int, rest []byte, ok bool) {
	n = int(low)
	if low < 15 {
		return n, src, true
	}
	for i, b := range src {
		if n += int(b); b != 255 {
			return n, src[i+1:], true
		}
	}
	return 0, nil, false
}
