package hsakmt

import (
	"debug/elf"
	"fmt"
	"os"
	"strconv"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/internal/soft/emu"
)

// The runtime keeps a list of the code objects that it has loaded for debuggers, as
// the system's loader does: struct r_debug and struct link_map. It is read without the
// runtime's locks, so nothing that it says is trusted.

// Offsets in r_debug and link_map.
const (
	debugMap = 8
	linkAddr = 0
	linkName = 8
	linkNext = 24
)

// mostLoaded bounds how many code objects are looked at.
const mostLoaded = 1 << 16

// loadedObject is a code object as it was given to the runtime.
type loadedObject struct {
	*codeobj.Object
	image []byte
	base  uint64 // what was added to its addresses
}

// loadedAt finds the code object that was loaded around an address; nil if the
// runtime knows none.
func (t *Thunk) loadedAt(address uint64) *loadedObject {
	debug := t.debug.Load()
	if debug == 0 {
		return nil
	}
	var nearest, uri uint64 // the last that begins before the address: code objects don't overlap
	link, err := hostmem.ReadUint64(uintptr(debug + debugMap))
	for range mostLoaded {
		if err != nil || link == 0 {
			break
		}
		base, _ := hostmem.ReadUint64(uintptr(link + linkAddr))
		name, _ := hostmem.ReadUint64(uintptr(link + linkName))
		if base >= nearest && base <= address && name != 0 {
			nearest, uri = base, name
		}
		link, err = hostmem.ReadUint64(uintptr(link + linkNext))
	}
	if uri == 0 {
		return nil
	}
	if o, image := readObject(text(uri)); o != nil && address-nearest < o.MemSize() {
		return &loadedObject{o, image, nearest}
	}
	return nil
}

// text is a string of C's, cut where it can't be read.
func text(address uint64) string {
	var all []byte
	for len(all) < 4096 {
		var b [64]byte
		n := min(64, page-address%page)
		if hostmem.Read(b[:n], uintptr(address)) != nil {
			break
		}
		part, _, ended := strings.Cut(string(b[:n]), "\x00")
		all = append(all, part...)
		if ended {
			break
		}
		address += n
	}
	return string(all)
}

// mostObject bounds how large a code object may be whose names are looked at.
const mostObject = 64 << 20

// readObject reads the code object of a URI: memory://PROCESS#offset=ADDRESS&size=BYTES
// or file://PATH, with or without such a part of it.
func readObject(uri string) (o *codeobj.Object, image []byte) {
	place, part, _ := strings.Cut(uri, "#")
	var offset, size uint64
	for _, setting := range strings.Split(part, "&") {
		key, value, _ := strings.Cut(setting, "=")
		n, _ := strconv.ParseUint(value, 0, 64)
		switch key {
		case "offset":
			offset = n
		case "size":
			size = n
		}
	}
	if path, ok := strings.CutPrefix(place, "file://"); ok {
		whole, err := os.ReadFile(path)
		if err != nil || offset > uint64(len(whole)) {
			return nil, nil
		}
		if image = whole[offset:]; size > 0 && size < uint64(len(image)) {
			image = image[:size]
		}
	} else if strings.HasPrefix(place, "memory://") && size <= mostObject {
		image = make([]byte, size)
		if hostmem.Read(image, uintptr(offset)) != nil {
			return nil, nil
		}
	}
	o, err := codeobj.Parse(image)
	if err != nil {
		return nil, nil
	}
	return o, image
}

// kernelName is what the code object calls the kernel whose descriptor is at an address.
// Where the runtime knows no code object, it is the address.
func (o *loadedObject) kernelName(descriptor uint64) string {
	if o != nil {
		for i := range o.Kernels {
			if k := &o.Kernels[i]; o.base+k.DescriptorAddr == descriptor {
				return k.Name
			}
		}
	}
	return fmt.Sprintf("at %#x", descriptor)
}

// text is where the object's code lies; nowhere if there is none.
func (o *loadedObject) text() (lo, hi uint64) {
	if o == nil || len(o.Text.Bytes) == 0 {
		return 0, 0
	}
	lo = o.base + o.Text.Addr
	return lo, lo + uint64(len(o.Text.Bytes))
}

// functions are those of the code that begins at an address.
func (o *loadedObject) functions(code, size uint64) []emu.Range {
	if o == nil {
		return nil
	}
	var found []emu.Range
	for i := range o.Symbols {
		s := &o.Symbols[i]
		at := o.base + s.Value
		if s.Defined() && s.Type == elf.STT_FUNC && s.Size > 0 && at >= code && at%4 == 0 && at-code+s.Size <= size {
			found = append(found, emu.Range{Name: s.Name, Start: uint32(at - code), End: uint32(at - code + s.Size)})
		}
	}
	return found
}
