package source

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
)

// Lines finds the source lines of a code object. A nil Lines finds none.
type Lines struct {
	image []byte
	text  uint64 // address of the text in the object
	once  sync.Once
	lines []line // by address
}

type line struct {
	addr uint64
	file string
	line int
	end  bool // no line is known from this address on
}

// New makes a Lines of a code object, of which it copies the image.
func New(image []byte, text uint64) *Lines {
	return &Lines{image: bytes.Clone(image), text: text}
}

// Line returns the file and line of the instruction at an offset in the text; empty if unknown. For an instruction that
// the compiler made from several lines, it returns the preceding line, marked as such.
func (s *Lines) Line(offset uint32) string {
	if s == nil {
		return ""
	}
	s.once.Do(s.read)
	addr := s.text + uint64(offset)
	i := sort.Search(len(s.lines), func(i int) bool { return s.lines[i].addr > addr }) - 1
	near := ""
	for ; i >= 0 && s.lines[i].line == 0 && !s.lines[i].end; i-- {
		near = "near "
	}
	if i < 0 || s.lines[i].end {
		return ""
	}
	return fmt.Sprintf("%s%s:%d", near, s.lines[i].file, s.lines[i].line)
}

// Any reports whether the object has line tables.
func (s *Lines) Any() bool {
	if s == nil {
		return false
	}
	s.once.Do(s.read)
	return len(s.lines) > 0
}

// HostLine returns the host's source line with the call that returns to an address. file is loaded at base. It returns
// an empty text if the file does not have the line.
func HostLine(file string, base, returns uint64) string {
	s, base := sourceOfHost(file, base)
	if at := returns - base - 1; s != nil && returns > base && at <= 1<<32-1 { // an address within the call
		return s.Line(uint32(at))
	}
	return ""
}

// HostFunction returns the name of the function at an address, from a file's symbol table; empty if there is none.
func HostFunction(file string, base, addr uint64) string {
	f, err := elf.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	if f.Type == elf.ET_EXEC {
		base = 0
	}
	symbols, err := f.Symbols()
	if err != nil {
		return ""
	}
	for n := range symbols {
		if s := &symbols[n]; elf.ST_TYPE(s.Info) == elf.STT_FUNC && addr-base > s.Value && addr-base <= s.Value+s.Size {
			return s.Name
		}
	}
	return ""
}

// hosts are the files that were read, with nil for those without lines.
var hosts sync.Map

type hostFile struct {
	*Lines
	fixed bool // addresses are absolute
}

func sourceOfHost(file string, base uint64) (s *Lines, from uint64) {
	known, ok := hosts.Load(file)
	if !ok {
		h := hostFile{}
		if image, err := os.ReadFile(file); err == nil && len(image) >= elf.EI_NIDENT+2 {
			h.fixed, h.Lines = elf.Type(image[elf.EI_NIDENT]) == elf.ET_EXEC, &Lines{image: image}
		}
		known, _ = hosts.LoadOrStore(file, h)
	}
	h := known.(hostFile)
	if h.fixed {
		base = 0
	}
	return h.Lines, base
}

// read parses the line tables. Damaged tables have no lines.
func (s *Lines) read() {
	defer func() {
		if recover() != nil {
			s.lines = nil
		}
		s.image = nil
	}()
	f, err := elf.NewFile(bytes.NewReader(s.image))
	if err != nil {
		return
	}
	section := f.Section(".debug_line")
	if section == nil {
		return
	}
	tables, err := section.Data()
	if err != nil {
		return
	}
	d, err := f.DWARF()
	if err != nil {
		return
	}
	known := map[int64]bool{} // tables that were read, by offset
	r := d.Reader()
	for unit := range Entries(r) {
		r.SkipChildren()
		at, ok := unit.Val(dwarf.AttrStmtList).(int64)
		if unit.Tag != dwarf.TagCompileUnit || !ok || at < 0 || at >= int64(len(tables)) || known[at] {
			continue
		}
		known[at] = true
		if countsFit(tables[at:], f.ByteOrder) {
			s.readUnit(d, unit)
		}
	}
	sort.SliceStable(s.lines, func(i, j int) bool { return s.lines[i].addr < s.lines[j].addr })
}

func (s *Lines) readUnit(d *dwarf.Data, unit *dwarf.Entry) {
	lr, err := d.LineReader(unit)
	if err != nil || lr == nil {
		return
	}
	folder, _ := unit.Val(dwarf.AttrCompDir).(string)
	var e dwarf.LineEntry
	for lr.Next(&e) == nil {
		l := line{addr: e.Address, line: e.Line, end: e.EndSequence}
		if e.File != nil {
			l.file = onceIn(folder, e.File.Name)
		}
		s.lines = append(s.lines, l)
	}
}

// onceIn corrects names from MLIR: for a program given by a relative path it writes the folder twice, as the unit's
// folder and with the file.
func onceIn(folder, name string) string {
	if folder != "" && !filepath.IsAbs(folder) && strings.HasPrefix(name, filepath.Join(folder, folder)+"/") {
		return name[len(filepath.Clean(folder))+1:]
	}
	return name
}
