package process

// #include <stdio.h>
//
// static size_t write_stdout(const char *text, size_t n) { return fwrite(text, 1, n, stdout); }
// static size_t write_stderr(const char *text, size_t n) { return fwrite(text, 1, n, stderr); }
import "C"

import (
	"syscall"
	"unsafe"
)

// Stdout and Stderr write to the host's C streams, as ROCm does, so that the output of kernels and of the host has the
// right order.
type (
	Stdout struct{}
	Stderr struct{}
)

func (Stdout) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return written(C.write_stdout((*C.char)(unsafe.Pointer(&p[0])), C.size_t(len(p))), len(p))
}

func (Stderr) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return written(C.write_stderr((*C.char)(unsafe.Pointer(&p[0])), C.size_t(len(p))), len(p))
}

func written(n C.size_t, want int) (int, error) {
	if int(n) < want {
		return int(n), syscall.EIO
	}
	return want, nil
}

// StandardError writes to descriptor 2, in colour if that is a terminal. os.Stderr would raise SIGPIPE itself, whatever
// the host's disposition of that signal.
type StandardError struct{}

func (StandardError) Write(p []byte) (int, error) {
	if inColour() {
		_, err := Descriptor(2).Write(coloured(p))
		return len(p), err
	}
	return Descriptor(2).Write(p)
}

// Descriptor writes to a file descriptor.
type Descriptor int

func (d Descriptor) Write(p []byte) (int, error) {
	for done := 0; done < len(p); {
		n, err := syscall.Write(int(d), p[done:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return done, err
		}
		done += n
	}
	return len(p), nil
}
