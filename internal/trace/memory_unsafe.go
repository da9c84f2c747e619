package trace

import (
	"syscall"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// HeaderUsed is the number of bytes of the header's page that are used.
const HeaderUsed = unsafe.Sizeof(Header{})

func HeaderOf(file []byte) *Header { return (*Header)(unsafe.Pointer(&file[0])) }

func SegmentOf(file []byte, index uint64) *Segment {
	return (*Segment)(unsafe.Pointer(&file[HeaderBytes+TextBytes+index*SegmentBytes]))
}

func RecordOf(file []byte, segment, slot uint64) *Record {
	return (*Record)(unsafe.Pointer(&file[HeaderBytes+TextBytes+segment*SegmentBytes+slot*RecordBytes]))
}

func EntryOf(file []byte, at uint64) *Entry {
	return (*Entry)(unsafe.Pointer(&file[HeaderBytes+at]))
}

// Address returns the address of the mapped file, for C.
func (r *Recorder) Address() uintptr { return uintptr(unsafe.Pointer(&r.file[0])) }

// monotonic and realtime return the system's clocks in nanoseconds.
func monotonic() int64 { return clock(1) }
func realtime() int64  { return clock(0) }

func clock(which uintptr) int64 {
	var t syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, which, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// places are the addresses at which files are mapped, in turn. Threads that have not noticed the end of a recording may
// still write to its addresses. So the addresses are never unmapped, and the next recording does not use them.
var places struct {
	locks.Mutex[locks.Files]
	turn uint
	at   [2]uintptr
	size [2]uint64
}

// mapFile maps a file for reading and writing.
func mapFile(fd int, size uint64) ([]byte, error) {
	p := &places
	p.Lock()
	defer p.Unlock()
	i := p.turn % 2
	if p.size[i] < size {
		at, err := mmap(0, size, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE, -1)
		if err != nil {
			return nil, err
		}
		p.at[i], p.size[i] = at, size
	}
	at, err := mmap(p.at[i], size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED|syscall.MAP_FIXED, fd)
	if err != nil {
		return nil, err
	}
	p.turn++
	return unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size), nil
}

// unmapFile removes a file from its addresses, which contain zeros from then on.
func unmapFile(b []byte) {
	_, _ = mmap(uintptr(unsafe.Pointer(&b[0])), uint64(len(b)), syscall.PROT_READ|syscall.PROT_WRITE,
		syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE|syscall.MAP_FIXED, -1)
}

func mmap(at uintptr, size uint64, protection, flags uintptr, fd int) (uintptr, error) {
	at, _, errno := syscall.Syscall6(syscall.SYS_MMAP, at, uintptr(size), protection, flags, uintptr(fd), 0)
	if errno != 0 {
		return 0, errno
	}
	return at, nil
}

// populate allocates the pages of the mapping now, or fails if the file system has no space: a page that it can't
// allocate later would kill the process.
func populate(b []byte) error {
	const madvPopulateWrite = 23
	err := syscall.Madvise(b, madvPopulateWrite)
	if err == syscall.EFAULT { // a write would raise SIGBUS
		err = syscall.ENOSPC
	}
	return err
}
