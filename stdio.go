package main

// #include <stdio.h>
//
// static size_t write_stdout(const char *text, size_t n) { return fwrite(text, 1, n, stdout); }
// static size_t write_stderr(const char *text, size_t n) { return fwrite(text, 1, n, stderr); }
import "C"

import (
	"syscall"
	"unsafe"
)

// hostStdout and hostStderr write to the host's C streams, so that what a kernel
// prints stands where it belongs among what the host prints, whatever buffers there
// are. That is where ROCm prints too.
type (
	hostStdout struct{}
	hostStderr struct{}
)

func (hostStdout) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return written(C.write_stdout((*C.char)(unsafe.Pointer(&p[0])), C.size_t(len(p))), len(p))
}

func (hostStderr) Write(p []byte) (int, error) {
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

// standardError writes to descriptor 2. os.Stderr would raise SIGPIPE by
// itself, whatever the host does about that signal.
type standardError struct{}

func (standardError) Write(p []byte) (int, error) { return descriptor(2).Write(p) }

// descriptor writes to a file descriptor.
type descriptor int

func (d descriptor) Write(p []byte) (int, error) {
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
