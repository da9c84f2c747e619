package hsa

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/mgpu-runtime/mgpu/internal/source"
)

// Site is a call in the host's program.
type Site struct {
	Call   string // "hipMalloc"
	File   string // of the program, or of its library
	Base   uint64 // where that is loaded
	Caller uint64 // where the call returns to
	Outer  uint64 // where its caller returns to; zero: unknown
}

// hipHeader has the template of hipMalloc that C++ programs call.
const hipHeader = "hip_runtime_api.h:"

// String names the call with its line in the source or, where the file has no lines, with
// the offset in the file.
func (s *Site) String() string {
	if line := s.line(); line != "" {
		return fmt.Sprintf("%s at %s", s.Call, line)
	}
	return fmt.Sprintf("%s at %s+%#x", s.Call, filepath.Base(s.File), s.Caller-s.Base)
}

// known are the lines of sites that were asked for: each look at a file's debugging
// information reads the whole file.
var known = struct {
	mu sync.Mutex
	of map[Site]string
}{of: map[Site]string{}}

// mostLines bounds known, which is then cleared. Programs have fewer calls that allocate.
const mostLines = 1 << 12

// line is the line of the call, in the program's own source if it is known.
func (s *Site) line() string {
	known.mu.Lock()
	defer known.mu.Unlock()
	line, ok := known.of[*s]
	if !ok {
		if len(known.of) >= mostLines {
			clear(known.of)
		}
		line = s.findLine()
		known.of[*s] = line
	}
	return line
}

func (s *Site) findLine() string {
	image, err := os.ReadFile(s.File)
	if err != nil || len(image) < elf.EI_NIDENT+2 {
		return ""
	}
	base := s.Base
	if elf.Type(image[elf.EI_NIDENT]) == elf.ET_EXEC {
		base = 0
	}
	line := ""
	for _, returns := range []uint64{s.Caller, s.Outer} {
		if returns <= base {
			continue
		}
		found := source.HostLine(s.File, s.Base, returns)
		at := returns - base - 1 // within the call
		if strings.Contains(found, hipHeader) {
			if from := inlinedFrom(image, at); from != "" {
				return from
			}
		}
		if line == "" || found != "" && strings.Contains(line, hipHeader) {
			line = found
		}
		if !strings.Contains(line, hipHeader) {
			break
		}
	}
	return line
}

// inlinedFrom is the line of the call into which the function around an address was
// inlined; empty if the function is not inlined, or the file has no such entry.
func inlinedFrom(image []byte, address uint64) (line string) {
	defer func() { _ = recover() }() // damaged files give no line
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return ""
	}
	d, err := f.DWARF()
	if err != nil {
		return ""
	}
	r := d.Reader()
	unit, err := r.SeekPC(address)
	if err != nil {
		return ""
	}
	lines, err := d.LineReader(unit)
	if err != nil || lines == nil {
		return ""
	}
	for e := range source.Entries(r) {
		if e.Tag == dwarf.TagCompileUnit {
			break
		}
		if e.Tag != dwarf.TagInlinedSubroutine || !covers(d, e, address) {
			continue
		}
		file, _ := e.Val(dwarf.AttrCallFile).(int64)
		number, _ := e.Val(dwarf.AttrCallLine).(int64)
		if files := lines.Files(); file >= 0 && int(file) < len(files) && files[file] != nil {
			line = fmt.Sprintf("%s:%d", files[file].Name, number) // the last is the innermost
		}
	}
	return line
}

func covers(d *dwarf.Data, e *dwarf.Entry, address uint64) bool {
	ranges, _ := d.Ranges(e)
	return slices.ContainsFunc(ranges, func(r [2]uint64) bool { return address >= r[0] && address < r[1] })
}
