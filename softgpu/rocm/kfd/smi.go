package kfd

import (
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"syscall"
)

// listener is a program's descriptor for events of a GPU, seen from the driver. The two are a pair of sockets:
// the program reads lines, and writes masks of the events that it wants.
type listener struct {
	node uint32
	fd   int
	mask uint64
}

// vmFault is the number of the event of a kernel that touches memory it may not. Its bit in a mask is the
// number less one. Nothing else that the kernel's driver tells of happens here: there are no resets, throttling,
// migrations or evictions.
const vmFault = 1

type smiArgs struct{ GPUID, FD uint32 }

// smiEvents opens a descriptor for events. As the kernel's, it can be polled, and reading without an event is
// EAGAIN.
func (d *Driver) smiEvents(a *smiArgs) syscall.Errno {
	g := d.byID(a.GPUID)
	if g == nil {
		return syscall.EINVAL
	}
	pair, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM|syscall.SOCK_NONBLOCK|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return syscall.ENOMEM
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	l := &listener{node: g.node, fd: pair[1]}
	d.listeners = append(d.listening(), l)
	a.FD = uint32(pair[0])
	return 0
}

// listening are the listeners whose programs have not closed their descriptors, with their latest masks. mu is held.
func (d *Driver) listening() (open []*listener) {
	for _, l := range d.listeners {
		if l.update() {
			open = append(open, l)
		} else {
			_ = syscall.Close(l.fd)
		}
	}
	return open
}

// update takes the masks that the program has written, and returns false if it has closed its descriptor.
func (l *listener) update() bool {
	var mask [8]byte
	for {
		n, err := syscall.Read(l.fd, mask[:])
		switch {
		case err == syscall.EAGAIN:
			return true
		case err == syscall.EINTR:
		case err != nil || n == 0:
			return false
		case n == len(mask):
			l.mask = binary.LittleEndian.Uint64(mask[:])
		}
	}
}

// tellFault tells the listeners that a kernel on a node made an invalid access.
func (d *Driver) tellFault(node uint32) {
	name, _ := os.ReadFile("/proc/self/comm")
	line := fmt.Sprintf("%x %x:%s\n", vmFault, os.Getpid(), strings.TrimSpace(string(name)))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.listeners = d.listening()
	for _, l := range d.listeners {
		if l.node == node && l.mask&(1<<(vmFault-1)) != 0 {
			// A program that does not read loses events, as from the kernel's driver.
			_ = syscall.Sendto(l.fd, []byte(line), syscall.MSG_NOSIGNAL|syscall.MSG_DONTWAIT, nil)
		}
	}
}
