package codeobj

import "fmt"

const fatbinMagic = "\x50\xed\x55\xba"

// fatbinHead reads a fat binary's header: magic, version and header size (16
// bits each), and the size of what follows.
func fatbinHead(src source) (headerSize, bodySize uint64, err error) {
	b, err := src.bytes(0, 16)
	if err != nil {
		return 0, 0, fmt.Errorf("CUDA fatbin: header: %w", err)
	}
	headerSize = uint64(le.Uint16(b[6:]))
	if headerSize < uint64(len(b)) {
		return 0, 0, fmt.Errorf("CUDA fatbin: a header of %d bytes is too short", headerSize)
	}
	return headerSize, le.Uint64(b[8:]), nil
}

func fatbinExtent(src source) (Kind, uint64, error) {
	headerSize, bodySize, err := fatbinHead(src)
	return KindFatbin, end(headerSize, bodySize), err
}

// fatbinEntryHeader is the least length of an entry's header.
const fatbinEntryHeader = 64

// Flags of an entry.
const (
	fatbinLZ4        = 0x2000
	fatbinCompressed = 0x1000 | fatbinLZ4 | 0x4000 | 0x8000
)

// fatbinKinds has, by the kind of an entry, the function that looks for its variables.
var fatbinKinds = map[uint16]func([]byte) (string, error){
	1: ptxUnshareable,
	2: cubinUnshareable,
}

// fatbinUnshareable checks every entry, since the entry that a driver will take is not known here. An entry has a
// header, then its padded contents. The header has the kind (16 bits) at byte 0, the header's length (32) at 4, the
// padded length (64) at 8, the compressed length (32) at 16, flags (64) at 40 and the length after decompression (64)
// at 56.
func fatbinUnshareable(image []byte) (string, error) {
	headerSize, bodySize, err := fatbinHead(imageSource(image))
	if err != nil {
		return "", err
	}
	if end(headerSize, bodySize) > uint64(len(image)) {
		return "", fmt.Errorf("CUDA fatbin: %d bytes after the header, but %d are there", bodySize, len(image)-int(min(headerSize, uint64(len(image)))))
	}
	body := image[headerSize : headerSize+bodySize]
	for i := 0; len(body) > 0; i++ {
		if len(body) < fatbinEntryHeader {
			return "", fmt.Errorf("CUDA fatbin: entry %d: %d bytes are not a header", i, len(body))
		}
		head := body[:fatbinEntryHeader]
		at, size := uint64(le.Uint32(head[4:])), le.Uint64(head[8:])
		if at < fatbinEntryHeader || end(at, size) > uint64(len(body)) {
			return "", fmt.Errorf("CUDA fatbin: entry %d: a header of %d and contents of %d bytes, but %d are there", i, at, size, len(body))
		}
		reason, err := fatbinEntryUnshareable(head, body[at:at+size])
		if err != nil {
			return "", fmt.Errorf("CUDA fatbin: entry %d: %w", i, err)
		}
		if reason != "" {
			return reason, nil
		}
		body = body[at+size:]
	}
	return "", nil
}

func fatbinEntryUnshareable(head, contents []byte) (string, error) {
	kind, flags := le.Uint16(head), le.Uint64(head[40:])
	unshareable, ok := fatbinKinds[kind]
	if !ok {
		return "", fmt.Errorf("kind %d is not known", kind)
	}
	if flags&fatbinCompressed != 0 {
		if flags&fatbinCompressed != fatbinLZ4 {
			return "", fmt.Errorf("compressed in a way (flags %#x) that is not known", flags)
		}
		packed := uint64(le.Uint32(head[16:]))
		if packed > uint64(len(contents)) {
			return "", fmt.Errorf("%d compressed bytes, but %d are there", packed, len(contents))
		}
		var err error
		if contents, err = unpackLZ4(contents[:packed], le.Uint64(head[56:])); err != nil {
			return "", err
		}
	}
	return unshareable(contents)
}
