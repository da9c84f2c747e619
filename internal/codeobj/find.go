package codeobj

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Found is an image within a file.
type Found struct {
	Offset  int // offset of the image in the file
	Kind    Kind
	Image   []byte // PTX includes its NUL
	Escaped bool   // written as a string of MLIR or LLVM IR
}

// Find returns the images in a file, in order. The file may be of any kind: a program, a library, or MLIR (text or
// bytecode) or LLVM IR that embeds images. Images within an image are not listed. Bytes that only look like the
// beginning of an image are skipped.
func Find(file []byte) []Found {
	var all []Found
	end := 0
	for _, c := range candidates(file) {
		if c.at < end {
			continue
		}
		image, read := file[c.at:], 0
		if c.escaped {
			image, read = unescape(image)
			image = append(image, 0) // terminates PTX
		}
		kind, size, err := imageSource(image).extent()
		if err != nil || size > uint64(len(image)) || kind == KindFatbin && !hasEntry(image[:size]) {
			continue
		}
		if !c.escaped {
			read = int(size)
		}
		all = append(all, Found{c.at, kind, image[:size:size], c.escaped})
		end = c.at + read
	}
	return all
}

// hasEntry distinguishes a fat binary from four bytes that equal its magic by accident.
func hasEntry(fatbin []byte) bool {
	headerSize, _, err := fatbinHead(imageSource(fatbin))
	if err != nil || end(headerSize, fatbinEntryHeader) > uint64(len(fatbin)) {
		return false
	}
	head := fatbin[headerSize:]
	at := uint64(le.Uint32(head[4:]))
	return at >= fatbinEntryHeader && end(at, le.Uint64(head[8:])) <= uint64(len(head))
}

type candidate struct {
	at      int
	escaped bool
}

// candidates returns the places where an image may begin, in order.
func candidates(file []byte) []candidate {
	var all []candidate
	for _, f := range formats {
		for at := range places(file, f.magic) {
			all = append(all, candidate{at, false})
		}
		for at := range places(file, `"`+escape(f.magic)) {
			all = append(all, candidate{at + 1, true})
		}
	}
	for at := range places(file, ".version ") {
		if c, ok := ptxAround(file, at); ok {
			all = append(all, c)
		}
	}
	slices.SortFunc(all, func(a, b candidate) int { return cmp.Compare(a.at, b.at) })
	return all
}

// places yields the offsets of a text in a file.
func places(file []byte, text string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for from := 0; ; {
			at := bytes.Index(file[from:], []byte(text))
			if at < 0 || !yield(from+at) {
				return
			}
			from += at + 1
		}
	}
}

// ptxAround returns the beginning of the PTX whose .version is at an offset: after a NUL, or at the quote before it.
// Only comments may be between.
func ptxAround(file []byte, version int) (candidate, bool) {
	const near = 4096
	after := file[version:min(len(file), version+near)]
	if !bytes.Contains(after, []byte(".target")) || !bytes.Contains(after, []byte(".address_size")) {
		return candidate{}, false
	}
	low := max(0, version-near)
	at := version
	for at > low && file[at-1] != '"' && isText(file[at-1]) {
		at--
	}
	if at == 0 || !isText(file[at-1]) {
		return candidate{at, false}, true
	}
	return candidate{at, file[at-1] == '"'}, true
}

// escape writes a string as MLIR and LLVM IR do: printable characters except quotes and backslashes as they are, others
// as two hexadecimal digits.
func escape(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c >= ' ' && c < 0x7f && c != '"' && c != '\\' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%02X`, c)
		}
	}
	return b.String()
}

// unescape returns the meaning of a string up to its closing quote, and its length as written.
func unescape(text []byte) (meaning []byte, read int) {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			return meaning, i
		case c == '\\' && i+1 < len(text) && text[i+1] == '\\':
			meaning = append(meaning, '\\')
			i++
		case c == '\\' && i+2 < len(text) && hex(text[i+1]) >= 0 && hex(text[i+2]) >= 0:
			meaning = append(meaning, byte(hex(text[i+1])<<4|hex(text[i+2])))
			i += 2
		case c == '\\' && i+1 < len(text) && text[i+1] == 'n': // MLIR also writes \n, besides \0A
			meaning = append(meaning, '\n')
			i++
		case c == '\\' && i+1 < len(text) && text[i+1] == 't':
			meaning = append(meaning, '\t')
			i++
		default:
			meaning = append(meaning, c)
		}
	}
	return meaning, len(text)
}

// hex returns the value of a hexadecimal digit, -1 for other characters.
func hex(c byte) int { return strings.IndexByte("0123456789ABCDEF", byte(unicode.ToUpper(rune(c)))) }
