package codeobj

import (
	"fmt"
	"strings"
)

const (
	bundleMagic     = "__CLANG_OFFLOAD_BUNDLE__"
	compressedMagic = "CCOB"

	maxBundleEntries = 4096
	maxBundleID      = 4096
)

// bundleEntry is one image of a bundle.
type bundleEntry struct {
	id        string // "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-"
	off, size uint64
}

// bundleEntries reads a bundle's table. end is where the table ends.
func bundleEntries(src source) (entries []bundleEntry, end uint64, err error) {
	head, err := src.bytes(0, uint64(len(bundleMagic)+8))
	if err != nil {
		return nil, 0, fmt.Errorf("offload bundle: header: %w", err)
	}
	if string(head[:len(bundleMagic)]) != bundleMagic {
		return nil, 0, fmt.Errorf("not an offload bundle: starts with %q", head[:len(bundleMagic)])
	}
	n := le.Uint64(head[len(bundleMagic):])
	if n > maxBundleEntries {
		return nil, 0, fmt.Errorf("offload bundle: %d entries are not believed", n)
	}
	at := uint64(len(head))
	for i := range n {
		b, err := src.bytes(at, 24)
		if err != nil {
			return nil, 0, fmt.Errorf("offload bundle: entry %d of %d: %w", i, n, err)
		}
		idLen := le.Uint64(b[16:])
		if idLen > maxBundleID {
			return nil, 0, fmt.Errorf("offload bundle: entry %d of %d: an id of %d bytes is not plausible", i, n, idLen)
		}
		id, err := src.bytes(at+24, idLen)
		if err != nil {
			return nil, 0, fmt.Errorf("offload bundle: id of entry %d of %d: %w", i, n, err)
		}
		entries = append(entries, bundleEntry{string(id), le.Uint64(b), le.Uint64(b[8:])})
		at += 24 + idLen
	}
	return entries, at, nil
}

func bundleExtent(src source) (Kind, uint64, error) {
	entries, size, err := bundleEntries(src)
	if err != nil {
		return KindUnknown, 0, err
	}
	for i, e := range entries {
		if end(e.off, e.size) > maxExtent {
			return KindUnknown, 0, fmt.Errorf("offload bundle: entry %d (%s): %d bytes at %d end beyond 2 GiB", i, e.id, e.size, e.off)
		}
		size = max(size, e.off+e.size)
	}
	return KindBundle, size, nil
}

// compressedExtent reads the header of a compressed bundle: magic, then version and method (16 bits each), then the
// total size. Version 1 has no total size; it has 32 bits in version 2 and 64 in version 3.
func compressedExtent(src source) (Kind, uint64, error) {
	b, err := src.bytes(0, 16)
	if err != nil {
		return KindUnknown, 0, fmt.Errorf("compressed offload bundle: header: %w", err)
	}
	var size, least uint64
	switch version := le.Uint16(b[4:]); version {
	case 1:
		return KindUnknown, 0, fmt.Errorf("compressed offload bundle of version 1: it does not record its length")
	case 2:
		size, least = uint64(le.Uint32(b[8:])), 24
	case 3:
		size, least = le.Uint64(b[8:]), 32
	default:
		return KindUnknown, 0, fmt.Errorf("compressed offload bundle of version %d: only 2 and 3 are known", version)
	}
	if size < least {
		return KindUnknown, 0, fmt.Errorf("compressed offload bundle: a total of %d bytes is less than its header", size)
	}
	return KindCompressedBundle, size, nil
}

// Bundled is one image of an offload bundle.
type Bundled struct {
	ID    string // of its target: "hipv4-amdgcn-amd-amdhsa--gfx906:xnack-"
	Image []byte // part of the bundle
}

// Entries returns the images of an offload bundle, in its order.
func Entries(bundle []byte) ([]Bundled, error) {
	entries, _, err := bundleEntries(imageSource(bundle))
	if err != nil {
		return nil, err
	}
	var all []Bundled
	for _, e := range entries {
		if end(e.off, e.size) > uint64(len(bundle)) {
			return nil, fmt.Errorf("offload bundle: entry %s: %d bytes at %d end beyond the image's %d", e.id, e.size, e.off, len(bundle))
		}
		all = append(all, Bundled{e.id, bundle[e.off : e.off+e.size : e.off+e.size]})
	}
	return all, nil
}

// Unbundle returns the code object for target from an offload bundle, as a part of image. target is a processor
// ("gfx906"), optionally with features ("gfx90a:xnack-"), or a whole target triple. An entry that requires a feature
// setting fits a target that has that setting or does not mention the feature. The entry that requires the most
// settings is taken, and an entry for the chip itself rather than one for its generic family.
func Unbundle(image []byte, target string) ([]byte, error) {
	entries, _, err := bundleEntries(imageSource(image))
	if err != nil {
		return nil, err
	}
	want := ParseTarget(target)
	best, bestScore := bundleEntry{}, -1
	var have []string
	for _, e := range entries {
		if !e.forAMDGPU() {
			continue
		}
		t := ParseTarget(e.triple())
		have = append(have, t.String())
		if score := t.fit(want); score > bestScore {
			best, bestScore = e, score
		}
	}
	if bestScore < 0 {
		return nil, fmt.Errorf("offload bundle: no code object for %s; it has: %s", target, strings.Join(have, ", "))
	}
	if end(best.off, best.size) > uint64(len(image)) {
		return nil, fmt.Errorf("offload bundle: entry %s: %d bytes at %d end beyond the image's %d", best.id, best.size, best.off, len(image))
	}
	return image[best.off : best.off+best.size : best.off+best.size], nil
}
