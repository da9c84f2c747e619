package hsa

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
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

// loadedObject describes a code object that the runtime has loaded.
type loadedObject struct {
	loaded
	lo, hi    uint64 // its code
	functions []emu.Range
	names     map[uint64]string // of kernels, by the address of the descriptor
	indirect  []uint64          // addresses of functions that lie in its data
	size      uint64            // of its memory
	text      uint64            // address of its code in the file
	image     []byte            // nil unless its kernels are watched
}

// loaded is an entry of the runtime's list.
type loaded struct {
	link uint64 // address of the entry
	base uint64 // offset of its addresses in memory
	uri  string // of the object
}

// loadedAt finds the code object that was loaded around an address of v; nil if the
// runtime knows none. It is read from where the runtime read it, which has the lines of sources. The
// program may have freed that memory since, or removed the file; then it is read from v.
func (sys *System) loadedAt(address uint64, v view) *loadedObject {
	debug := sys.debug.Load()
	if debug == 0 {
		return nil
	}
	var nearest loaded // the last that begins before the address: code objects don't overlap
	var uri uint64
	link, err := hostmem.ReadUint64(uintptr(debug + debugMap))
	for range mostLoaded {
		if err != nil || link == 0 {
			break
		}
		base, name, next, failed := readLink(link)
		if err = failed; err == nil && base >= nearest.base && base <= address && name != 0 {
			nearest, uri = loaded{link: link, base: base}, name
		}
		link = next
	}
	if uri == 0 {
		return nil
	}
	nearest.uri = text(uri)
	o := sys.readObject(nearest, v)
	if o == nil {
		o = sys.readMemory(nearest, v)
	}
	if o != nil && address-o.base < o.size {
		return o
	}
	return nil
}

// readMemory reads the code object of an entry from the GPU's memory that it was loaded to.
func (sys *System) readMemory(l loaded, v view) *loadedObject {
	_, hi, ok := v.Window(l.base, false)
	if !ok {
		return nil
	}
	image, err := codeobj.FromMemory(bytesAt(l.base, min(hi-l.base, mostObject)))
	if err != nil {
		return nil
	}
	return sys.understand(l, image, v)
}

// mostCompared bounds how much of an image's code is compared with the memory that it was loaded to.
const mostCompared = 1 << 20

// holds reports whether v has an image's code where the runtime has loaded it; false for images without code.
func (l *loaded) holds(v view, code *codeobj.Object) bool {
	text := code.Text.Bytes[:min(len(code.Text.Bytes), mostCompared)]
	at := l.base + code.Text.Addr
	_, hi, ok := v.Window(at, false)
	return ok && len(text) > 0 && hi-at >= uint64(len(text)) && bytes.Equal(text, bytesAt(at, uint64(len(text))))
}

// readLink reads a struct link_map.
func readLink(link uint64) (base, name, next uint64, err error) {
	var b [linkNext + 8]byte
	if err := hostmem.Read(b[:], uintptr(link)); err != nil {
		return 0, 0, 0, err
	}
	word := binary.LittleEndian.Uint64
	return word(b[linkAddr:]), word(b[linkName:]), word(b[linkNext:]), nil
}

// listed reports whether the runtime's list still has the object.
func (l *loaded) listed() bool {
	base, name, _, err := readLink(l.link)
	return err == nil && base == l.base && name != 0 && text(name) == l.uri
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

// mostObject bounds how large a code object in the host's memory may be whose names are looked at.
const mostObject = 64 << 20

// readObject reads the code object of an entry, whose URI is memory://PROCESS#offset=ADDRESS&size=BYTES
// or file://PATH, with or without such a part of it; nil if another object is there now.
func (sys *System) readObject(l loaded, v view) *loadedObject {
	place, part, _ := strings.Cut(l.uri, "#")
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
	if name, ok := strings.CutPrefix(place, "file://"); ok {
		path, err := url.PathUnescape(name)
		if err != nil {
			return nil
		}
		if o := sys.readFile(l, path, offset, size, v); o != nil {
			return o
		}
		// The runtime takes the dynamic loader for the program where that was started by it.
		if program, err := os.Readlink("/proc/self/exe"); err == nil && program == path {
			for _, path := range mappedFiles() {
				if o := sys.readFile(l, path, offset, size, v); o != nil {
					return o
				}
			}
		}
		return nil
	}
	if !strings.HasPrefix(place, "memory://") || size > mostObject {
		return nil
	}
	image := make([]byte, size)
	if hostmem.Read(image, uintptr(offset)) != nil {
		return nil
	}
	return sys.understand(l, image, v)
}

// readFile reads an object that is part of a file.
func (sys *System) readFile(l loaded, path string, offset, size uint64, v view) *loadedObject {
	image, done := mapFile(path, offset, size)
	defer done()
	return sys.understand(l, image, v)
}

// mappedFiles are the files that the process has mapped, each once.
func mappedFiles() (paths []string) {
	maps, _ := os.ReadFile("/proc/self/maps")
	for line := range strings.Lines(string(maps)) {
		if at := strings.IndexByte(line, '/'); at >= 0 {
			if path := strings.TrimSuffix(line[at:], "\n"); !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// mapFile maps size bytes of a file, zero for all that follow, until done is called. Only pages that
// are accessed are read.
func mapFile(path string, offset, size uint64) (part []byte, done func()) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || offset >= uint64(info.Size()) {
		return nil, func() {}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, func() {}
	}
	defer f.Close()
	if most := uint64(info.Size()) - offset; size == 0 || size > most {
		size = most
	}
	before := offset % page
	all, err := syscall.Mmap(int(f.Fd()), int64(offset-before), int(before+size), syscall.PROT_READ, syscall.MAP_PRIVATE)
	if err != nil {
		return nil, func() {}
	}
	return all[before:], func() { _ = syscall.Munmap(all) }
}

// understand parses an object's image. It leaves out the metadata, which are many megabytes in a
// library of kernels. It returns nil for an image that was not loaded there.
func (sys *System) understand(l loaded, image []byte, v view) *loadedObject {
	code, err := codeobj.ParseCode(image)
	if err != nil || !l.holds(v, code) {
		return nil
	}
	o := &loadedObject{loaded: l, size: code.MemSize(), text: code.Text.Addr, names: map[uint64]string{}}
	if n := uint64(len(code.Text.Bytes)); n > 0 {
		o.lo = l.base + code.Text.Addr
		o.hi = o.lo + n
	}
	for _, f := range code.Functions() {
		o.functions = append(o.functions, emu.Range{Name: f.Name, Start: uint32(f.Start - o.text), End: uint32(f.End - o.text)})
	}
	for _, addr := range code.Indirect() {
		o.indirect = append(o.indirect, l.base+addr)
	}
	for i := range code.Symbols {
		s := &code.Symbols[i]
		if name, ok := strings.CutSuffix(s.Name, ".kd"); ok && s.Defined() {
			o.names[l.base+s.Value] = name
		}
	}
	if sys.check != nil {
		o.image = bytes.Clone(image)
	}
	return o
}

// kernelName is the code object's name of the kernel with a descriptor at an address. If the runtime
// does not know the code object, it is the address.
func (o *loadedObject) kernelName(descriptor uint64) string {
	if o != nil {
		if name := o.names[descriptor]; name != "" {
			return name
		}
	}
	return fmt.Sprintf("at %#x", descriptor)
}
