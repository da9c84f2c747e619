package trace

import (
	"syscall"
	"unsafe"
)

// headerUsed is how much of the header's page is not empty.
const headerUsed = unsafe.Sizeof(Header{})

func headerOf(file []byte) *Header { return (*Header)(unsafe.Pointer(&file[0])) }

func segmentOf(file []byte, index uint64) *Segment {
	return (*Segment)(unsafe.Pointer(&file[headerBytes+textBytes+index*segmentBytes]))
}

func recordOf(file []byte, segment, slot uint64) *Record {
	return (*Record)(unsafe.Pointer(&file[headerBytes+textBytes+segment*segmentBytes+slot*recordBytes]))
}

func entryOf(file []byte, at uint64) *entry {
	return (*entry)(unsafe.Pointer(&file[headerBytes+at]))
}

// Address returns where the file is mapped, for C.
func (r *Recorder) Address() uintptr { return uintptr(unsafe.Pointer(&r.file[0])) }

// monotonic and realtime return the system's clocks in nanoseconds.
func monotonic() int64 { return clock(1) }
func realtime() int64  { return clock(0) }

func clock(which uintptr) int64 {
	var t syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, which, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// populate gives memory its pages now, or fails where there is no room for them: a page that
// the file system can't give later would kill the process.
func populate(b []byte) error {
	const madvPopulateWrite = 23
	err := syscall.Madvise(b, madvPopulateWrite)
	if err == syscall.EFAULT { // a write would be killed by SIGBUS
		err = syscall.ENOSPC
	}
	return err
}
