package process

import (
	"bytes"
	"syscall"
	"unsafe"
)

// isTerminal reports whether a descriptor is a terminal. It makes the system call itself, since C's isatty would change
// the host's errno.
func isTerminal(fd int) bool {
	var state syscall.Termios
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TCGETS, uintptr(unsafe.Pointer(&state)))
	return errno == 0
}

// inColour reports whether lines on standard error are coloured.
func inColour() bool {
	return isTerminal(2) && Getenv("NO_COLOR") == "" && Getenv("TERM") != "dumb"
}

const (
	red   = "\x1b[1;31m"
	bold  = "\x1b[1m"
	plain = "\x1b[0m"
)

// coloured colours the subject of each line: red for "mgpu check: KIND:" and "'CALL' failed with 'NAME'", bold for
// "mgpu:".
func coloured(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		colour, end := "", 0
		switch {
		case bytes.HasPrefix(line, []byte("mgpu check: ")):
			colour, end = red, len("mgpu check: ")
			if n := bytes.IndexByte(line[end:], ':'); n >= 0 {
				end += n + 1
			}
		case bytes.HasPrefix(line, []byte("'")):
			if before, after, ok := bytes.Cut(line, []byte("' failed with '")); ok {
				if n := bytes.IndexByte(after, '\''); n >= 0 {
					colour, end = red, len(before)+len("' failed with '")+n+1
				}
			}
		case bytes.HasPrefix(line, []byte("mgpu:")):
			colour, end = bold, len("mgpu:")
		}
		if colour != "" {
			out = append(append(append(out, colour...), line[:end]...), plain...)
		}
		out = append(out, line[end:]...)
	}
	return out
}
