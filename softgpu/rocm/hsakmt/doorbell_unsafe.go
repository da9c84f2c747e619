package hsakmt

import (
	"os"
	"sync"
	"syscall"
	"unsafe"
)

// Doorbells are words that the runtime stores to. When nothing runs, their pages are
// write-protected by userfaultfd: the first store stops in the system, a goroutine lifts the
// protection and wakes the poller, and the thread that stores goes on. Where a process without
// privileges can't use userfaultfd (before Linux 5.11, in containers that forbid it), doorbells
// are polled.

// bellsSize holds the doorbells of mostQueues queues.
const bellsSize = mostQueues * 64

// doorbells are those of all queues, in pages of their own.
type doorbells struct {
	arena
	lo uint64

	mu        sync.Mutex
	file      *os.File // userfaultfd; nil: it can't be used
	protected bool
}

// open maps the pages.
func (d *doorbells) open(s *space) error {
	at, err := mapPages(bellsSize, page, 0, readWrite)
	if err != nil {
		return err
	}
	d.lo, d.next, d.hi = at, at, at+bellsSize
	s.add(&block{lo: at, hi: at + bellsSize, host: at, kind: internal, mapped: everyNode})
	return nil
}

// From linux/userfaultfd.h.
const (
	uffdAPI          = 0xaa
	uffdUserModeOnly = 1
	uffdioAPI        = 0xc018aa3f
	uffdioRegister   = 0xc020aa00
	uffdioProtect    = 0xc018aa06
	uffdFeatureWP    = 1 << 0 // UFFD_FEATURE_PAGEFAULT_FLAG_WP
	uffdRegisterWP   = 1 << 1
	uffdProtectWP    = 1 << 0
	uffdMessageSize  = 32
)

// watch makes the system report stores to protected doorbells, and calls rung after each.
// Where the system refuses, doorbells stay unwatched.
func (d *doorbells) watch(rung func()) {
	fd, _, errno := syscall.Syscall(sysUserfaultfd, syscall.O_CLOEXEC|syscall.O_NONBLOCK|uffdUserModeOnly, 0, 0)
	if errno != 0 {
		return
	}
	api := [3]uint64{uffdAPI, uffdFeatureWP, 0}
	register := [4]uint64{d.lo, bellsSize, uffdRegisterWP, 0}
	if !ioctl(fd, uffdioAPI, api[:]) || !ioctl(fd, uffdioRegister, register[:]) {
		_ = syscall.Close(int(fd))
		return
	}
	for at := d.lo; at < d.lo+bellsSize; at += page {
		add64(at, 0) // only pages that are there can be protected
	}
	file := os.NewFile(fd, "userfaultfd")
	d.mu.Lock()
	d.file = file
	d.mu.Unlock()
	go func() {
		var message [16 * uffdMessageSize]byte
		for {
			_, err := file.Read(message[:])
			d.protect(false)
			if err != nil {
				d.unwatch()
				return
			}
			rung()
		}
	}()
}

// unwatch gives userfaultfd back: the system then lets all stores through, and doorbells are
// polled.
func (d *doorbells) unwatch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.file.Close()
	d.file, d.protected = nil, false
}

// protect makes the next store to a doorbell stop until the protection is lifted, or lifts it.
// It returns false where that can't be done.
func (d *doorbells) protect(on bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.file == nil {
		return false
	}
	if on == d.protected {
		return true
	}
	change := [3]uint64{d.lo, bellsSize, 0}
	if on {
		change[2] = uffdProtectWP
	}
	// Not File.Fd, which would make reads block a thread.
	ok := false
	if raw, err := d.file.SyscallConn(); err == nil {
		_ = raw.Control(func(fd uintptr) { ok = ioctl(fd, uffdioProtect, change[:]) })
	}
	d.protected = on && ok
	return ok
}

func ioctl(fd, request uintptr, argument []uint64) bool {
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(unsafe.SliceData(argument))))
	return errno == 0
}
