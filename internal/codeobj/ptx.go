package codeobj

import (
	"bytes"
	"errors"
	"fmt"
)

var errNotPTX = errors.New("not PTX")

// ptxExtent returns the length of a PTX text with its NUL. It returns errNotPTX if the text does not begin with
// .version after blanks and comments.
func ptxExtent(src source) (uint64, error) {
	var text []byte // the text, until its first token is known
	known := false
	for off, buf := uint64(0), make([]byte, 512); off <= maxExtent; {
		chunk := buf[:min(uint64(len(buf)), 4096-off%4096)]
		n, err := src.prefix(chunk, off)
		b := chunk[:n]
		stop := bytes.IndexByte(b, 0)
		if stop >= 0 {
			b = b[:stop]
		}
		for _, c := range b {
			if !isText(c) {
				return 0, errNotPTX
			}
		}
		if !known {
			text = append(text, b...)
			token, decided := firstToken(text, stop >= 0 || n < len(chunk))
			if decided && !bytes.HasPrefix(token, []byte(".version")) || len(text) > 1<<20 {
				return 0, errNotPTX
			}
			known = decided
		}
		off += uint64(len(b))
		switch {
		case stop >= 0:
			return off + 1, nil
		case n < len(chunk):
			return 0, fmt.Errorf("PTX text does not end with a NUL: nothing can be read past byte %d: %w", off, err)
		case len(buf) < 4096: // a long text is read by pages
			buf = make([]byte, 4096)
		}
	}
	return 0, errors.New("PTX text has no NUL within 2 GiB")
}

// isText reports whether c can be part of a PTX text.
func isText(c byte) bool { return c >= ' ' && c != 0x7f || '\t' <= c && c <= '\r' }

// firstToken returns the text after leading blanks and comments. decided is true if text is long enough, or complete.
func firstToken(text []byte, complete bool) (token []byte, decided bool) {
	for {
		text = bytes.TrimLeft(text, " \t\n\v\f\r")
		stop := 0
		switch {
		case bytes.HasPrefix(text, []byte("//")):
			stop = bytes.IndexByte(text, '\n')
		case bytes.HasPrefix(text, []byte("/*")):
			if stop = bytes.Index(text[2:], []byte("*/")); stop >= 0 {
				stop += 3
			}
		default:
			return text, complete || len(text) >= len(".version")
		}
		if stop < 0 {
			return nil, complete
		}
		text = text[stop+1:]
	}
}
