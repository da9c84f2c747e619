package hostmem

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
)

// Fault says that memory could not be read.
type Fault struct {
	Addr     uintptr // address of the read
	Size     int     // number of bytes requested
	Readable int     // number of readable bytes from Addr on; the next one is not readable
	Err      error   // the system's error
}

func (f *Fault) Error() string {
	return fmt.Sprintf("cannot read %d bytes at %#x: only the first %d are readable: %v", f.Size, f.Addr, f.Readable, f.Err)
}

func (f *Fault) Unwrap() error { return f.Err }

// Read copies len(dst) bytes from address addr of this process into dst. It never faults. If an address is not
// readable, it returns a *[Fault], and dst has the bytes before that address.
func Read(dst []byte, addr uintptr) error {
	if len(dst) == 0 {
		return nil
	}
	if addr+uintptr(len(dst)) < addr {
		return &Fault{Addr: addr, Size: len(dst), Err: fmt.Errorf("the range wraps around: %w", syscall.EFAULT)}
	}
	if !vmReadvRefused.Load() {
		n, err := readPrefix(dst, addr, vmReadv)
		switch {
		case n == len(dst):
			return nil
		case err == syscall.EFAULT:
			return &Fault{Addr: addr, Size: len(dst), Readable: n, Err: err}
		case err == syscall.EPERM || err == syscall.ENOSYS:
			vmReadvRefused.Store(true) // by a sandbox or an old kernel, which does not change
		}
	}
	return readMapped(dst, addr)
}

// ReadUint64 returns the little-endian word at addr, which need not be aligned.
func ReadUint64(addr uintptr) (uint64, error) {
	var b [8]byte
	if err := Read(b[:], addr); err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

var vmReadvRefused atomic.Bool

var pageSize = os.Getpagesize()

// readPrefix reads as much of dst as read can supply, and returns the number of bytes. If a read fails, it is tried
// again in halves that end at page boundaries, until a single page fails. err is nil only if all was read.
func readPrefix(dst []byte, addr uintptr, read func([]byte, uintptr) (int, error)) (int, error) {
	done, chunk := 0, len(dst)
	for done < len(dst) {
		at := addr + uintptr(done)
		chunk = min(chunk, len(dst)-done)
		n, err := read(dst[done:done+chunk], at)
		if n > 0 {
			done += n
			continue
		}
		if err == nil {
			err = syscall.EFAULT
		}
		toPageEnd := pageSize - int(at%uintptr(pageSize))
		if err != syscall.EFAULT || chunk <= toPageEnd {
			return done, err
		}
		if chunk /= 2; chunk > toPageEnd {
			chunk -= int((at + uintptr(chunk)) % uintptr(pageSize))
		}
		chunk = max(chunk, toPageEnd)
	}
	return done, nil
}

// readMapped is Read for systems that refuse process_vm_readv. It uses the list of mappings, and copies through
// /proc/self/mem, where a mapping that has disappeared meanwhile is an error and not a signal. If one of these files
// can't be opened, it probes each page and copies directly.
func readMapped(dst []byte, addr uintptr) error {
	n, err := readListed(dst, addr)
	if err != nil {
		n = int(probe(addr, uint64(len(dst)), false))
		copyFrom(dst[:n], addr)
	}
	if n < len(dst) {
		return &Fault{Addr: addr, Size: len(dst), Readable: n, Err: syscall.EFAULT}
	}
	return nil
}

// readListed reads the readable part of dst through /proc.
func readListed(dst []byte, addr uintptr) (int, error) {
	m, err := Snapshot()
	if err != nil {
		return 0, err
	}
	fd, err := open("mem")
	if err != nil {
		return 0, err
	}
	defer syscall.Close(fd)
	readable := 0
	if _, hi, ok := m.Window(addr, false); ok {
		readable = int(min(hi-addr, uintptr(len(dst))))
	}
	n, _ := readPrefix(dst[:readable], addr, func(b []byte, at uintptr) (int, error) {
		n, err := syscall.Pread(fd, b, int64(at))
		if err == syscall.EIO {
			err = syscall.EFAULT
		}
		return n, err
	})
	return n, nil
}
