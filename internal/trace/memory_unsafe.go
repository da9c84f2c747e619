package trace

import (
	"syscall"
	"unsafe"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// HeaderUsed is how much of the header's page is not empty.
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

// places are where files are mapped, in turns. Threads that have not seen the end of a recording
// may still write where its file was, so addresses are never given back; and not to the next
// recording, which would get what they write.
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

// unmapFile lets a file go: its memory holds zeros from now on.
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
