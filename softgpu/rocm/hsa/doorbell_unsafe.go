package hsa

import (
	"sync"
	"syscall"
	"unsafe"
)

// Doorbells are words that the runtime stores to. When nothing runs, their pages are
// write-protected by userfaultfd: the first store stops in the system, a goroutine lifts the
// protection, and the thread that stores goes on. The goroutine executes the queue's first kernel
// itself. Where a process without privileges can't use userfaultfd (before Linux 5.11, in
// containers that forbid it), doorbells are polled.

// doorbells are those of all queues, in pages of their own.
type doorbells struct {
	mu        sync.Mutex
	ranges    map[uint64]uint64 // where all doorbells are, and how many bytes
	fd        uintptr           // userfaultfd, if watched
	watched   bool              // userfaultfd can be used
	protected bool
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
	fd, _, errno := syscall.Syscall(sysUserfaultfd, syscall.O_CLOEXEC|uffdUserModeOnly, 0, 0)
	if errno != 0 {
		return
	}
	api := [3]uint64{uffdAPI, uffdFeatureWP, 0}
	if !ioctl(fd, uffdioAPI, api[:]) {
		_ = syscall.Close(int(fd))
		return
	}
	d.mu.Lock()
	for lo, size := range d.ranges {
		if !register(fd, lo, size) {
			d.mu.Unlock()
			_ = syscall.Close(int(fd))
			return
		}
	}
	d.fd, d.watched = fd, true
	d.mu.Unlock()
	go func() {
		var message [16 * uffdMessageSize]byte
		for {
			n, err := syscall.Read(int(fd), message[:]) // blocks a thread: Go's poller would be a second one to wake
			d.protect(false)
			switch {
			case n >= uffdMessageSize:
				rung()
			case err != syscall.EINTR: // the program has closed the descriptor, and may have another file in its place
				d.unwatch()
				return
			}
		}
	}()
}

// unwatch leaves doorbells to polling. It does not close the descriptor, which may be the program's by now.
func (d *doorbells) unwatch() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.set(false)
	d.watched = false
}

// protect makes the next store to a doorbell stop until the protection is lifted, or lifts it.
// It returns false where that can't be done.
func (d *doorbells) protect(on bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.watched {
		return false
	}
	if on == d.protected {
		return true
	}
	return d.set(on)
}

// set protects all ranges, or lifts their protection. mu is held.
func (d *doorbells) set(on bool) bool {
	ok := true
	for lo, size := range d.ranges {
		ok = d.change(lo, size, on) && ok
	}
	d.protected = on && ok
	return ok
}

// lift lifts the protection, and reports whether there was one.
func (d *doorbells) lift() bool {
	d.mu.Lock()
	was := d.protected
	d.mu.Unlock()
	return was && d.protect(false)
}

// change protects one range, or lifts its protection. mu is held.
func (d *doorbells) change(lo, size uint64, on bool) bool {
	change := [3]uint64{lo, size, 0}
	if on {
		change[2] = uffdProtectWP
	}
	return ioctl(d.fd, uffdioProtect, change[:])
}

// register has stores to a range reported, once it is protected.
func register(fd uintptr, lo, size uint64) bool {
	r := [4]uint64{lo, size, uffdRegisterWP, 0}
	if !ioctl(fd, uffdioRegister, r[:]) {
		return false
	}
	for at := lo; at < lo+size; at += page {
		add64(at, 0) // only pages that are there can be protected
	}
	return true
}

// AddDoorbells adds pages in which the host rings doorbells: size bytes from lo, private to the process.
func (sys *System) AddDoorbells(lo, size uint64) { sys.bells.add(lo, size) }

// DropDoorbells undoes AddDoorbells.
func (sys *System) DropDoorbells(lo uint64) { sys.bells.drop(lo) }

// add takes further pages of doorbells.
func (d *doorbells) add(lo, size uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.ranges == nil {
		d.ranges = map[uint64]uint64{}
	}
	d.ranges[lo] = size
	if !d.watched {
		return
	}
	register(d.fd, lo, size)
	if d.protected {
		d.change(lo, size, true)
	}
}

// drop forgets the pages at lo.
func (d *doorbells) drop(lo uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.ranges, lo)
}

// ioctl is for short requests only: Go's scheduler does not know that this thread is in the system.
func ioctl(fd, request uintptr, argument []uint64) bool {
	_, _, errno := syscall.RawSyscall(syscall.SYS_IOCTL, fd, request, uintptr(unsafe.Pointer(unsafe.SliceData(argument))))
	return errno == 0
}
