package hsakmt

import (
	"debug/elf"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mgpu-runtime/mgpu/internal/soft/check"
)

// Site is a call in the host's program.
type Site struct {
	Call   string // "hipMalloc"
	File   string // of the program, or of its library
	Base   uint64 // where that is loaded
	Caller uint64 // where the call returns to
}

// String names the call with its line in the source or, where the file has no lines, with
// the offset in the file.
func (s *Site) String() string {
	if line := s.line(); line != "" {
		return fmt.Sprintf("%s at %s", s.Call, line)
	}
	return fmt.Sprintf("%s at %s+%#x", s.Call, filepath.Base(s.File), s.Caller-s.Base)
}

// line looks for the line of the call, which ends before Caller.
func (s *Site) line() string {
	image, err := os.ReadFile(s.File)
	if err != nil || len(image) < elf.EI_NIDENT+2 {
		return ""
	}
	at := s.Caller - s.Base - 1
	if elf.Type(image[elf.EI_NIDENT]) == elf.ET_EXEC {
		at = s.Caller - 1
	}
	if at > 1<<32-1 {
		return ""
	}
	return check.NewSource(image, 0).Line(uint32(at))
}
