// Package hostfile writes files from within a host process: statistics, reports, timelines, snapshots.
//
// The host must not be disturbed. So no function waits for a reader (pipes are refused), raises a signal (reaching the
// limit of a file's size is an error, not a SIGXFSZ), or leaves a descriptor open, as package os does to watch files.
// Folders may be shared with other users: a symbolic link in place of a file is refused, since another user may have
// made it, and it may lead anywhere. For Add and Replace, /dev/stdout and /dev/stderr, which are links, mean the
// process's own descriptors. All functions may be called from any number of threads and processes at once.
package hostfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync/atomic"
	"syscall"
)

// Reasons why something that is not a file can't be written.
var (
	errLink   = errors.New("it is a symbolic link: name the file that it leads to")
	errPipe   = errors.New("it is a pipe, not a file")
	errNoFile = errors.New("it is a device, not a file")
	errIsDir  = syscall.EISDIR
)

// Add appends text to a file in one write, so that processes may share the file. Its errors begin with the file's name.
func Add(name string, text []byte) error {
	fd, err := open(name, syscall.O_APPEND)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	if err = hasRoom(fd, len(text)); err == nil {
		_, err = file(fd).Write(text)
	}
	return closed(fd, name, err)
}

// Replace replaces the contents of a file. Whenever the file exists, it is complete. Output to a device is written
// directly.
func Replace(name string, write func(io.Writer) error) error {
	err := regular(name)
	if _, ok := standard[name]; ok || err == errNoFile {
		fd, err := open(name, 0)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return closed(fd, name, write(file(fd)))
	}
	if err != nil && !errors.Is(err, syscall.ENOENT) {
		return fmt.Errorf("%s: %w", name, err)
	}
	unfinished, fd, err := temporary(name)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	err = closed(fd, name, write(file(fd)))
	if err == nil {
		if err = syscall.Rename(unfinished, name); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}
	if err != nil {
		_ = syscall.Unlink(unfinished)
	}
	return err
}

// Create makes a new file of a given size, with holes, and returns a descriptor for reading and writing. Its errors are
// those of package syscall; EEXIST means that the name exists.
func Create(name string, size int64) (fd int, err error) {
	fd, err = syscall.Open(name, syscall.O_RDWR|syscall.O_CREAT|syscall.O_EXCL|syscall.O_CLOEXEC, 0o666)
	if err != nil {
		return -1, err
	}
	if err = quietly(func() error { return syscall.Ftruncate(fd, size) }); err != nil {
		_ = syscall.Close(fd)
		_ = syscall.Unlink(name)
		return -1, err
	}
	return fd, nil
}

// Shorten cuts a regular file to a size. It does not follow links.
func Shorten(name string, size int64) error {
	fd, err := syscall.Open(name, syscall.O_WRONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var st syscall.Stat_t
	if err = syscall.Fstat(fd, &st); err == nil && st.Size > size {
		err = syscall.Ftruncate(fd, size)
	}
	return closed(fd, name, err)
}

// regular returns nil for a regular file, errNoFile for a character device, and otherwise the reason why the file can't
// be written.
func regular(name string) error {
	var st syscall.Stat_t
	if err := syscall.Lstat(name, &st); err != nil {
		return err
	}
	return kind(st.Mode)
}

func kind(mode uint32) error {
	switch mode & syscall.S_IFMT {
	case syscall.S_IFREG:
		return nil
	case syscall.S_IFCHR:
		return errNoFile
	case syscall.S_IFLNK:
		return errLink
	case syscall.S_IFIFO, syscall.S_IFSOCK:
		return errPipe
	case syscall.S_IFDIR:
		return errIsDir
	}
	return errors.New("it is not a regular file")
}

// Names that stand for the process's own descriptors, whatever these are.
var standard = map[string]int{"/dev/stdout": 1, "/dev/stderr": 2}

// open opens a file for writing, and creates it if necessary, or opens a character device.
func open(name string, how int) (fd int, err error) {
	if own, ok := standard[name]; ok {
		if fd, err = syscall.Dup(own); err == nil {
			syscall.CloseOnExec(fd)
		}
		return fd, err
	}
	// Don't wait for the reader of a pipe, and don't make a terminal the host's controlling terminal.
	const safe = syscall.O_WRONLY | syscall.O_CREAT | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_NOCTTY | syscall.O_CLOEXEC
	fd, err = syscall.Open(name, safe|how, 0o666)
	switch {
	case err == syscall.ELOOP && regular(name) == errLink:
		return -1, errLink
	case err == syscall.ENXIO:
		return -1, errPipe
	case err != nil:
		return -1, err
	}
	var st syscall.Stat_t
	if err = syscall.Fstat(fd, &st); err == nil {
		if err = kind(st.Mode); err == errNoFile {
			err = nil
		}
	}
	if err != nil {
		_ = syscall.Close(fd)
		return -1, err
	}
	return fd, nil
}

var temporaries atomic.Uint64

// temporary makes a file beside another one that no other thread or process uses.
func temporary(name string) (unfinished string, fd int, err error) {
	base := filepath.Base(name)
	base = base[:min(len(base), 200)] // names have at most 255 bytes
	for range 100 {                   // earlier processes with the same number may have left files
		unfinished = filepath.Join(filepath.Dir(name), fmt.Sprintf(".%s.%d.%d.new", base, os.Getpid(), temporaries.Add(1)))
		if fd, err = Create(unfinished, 0); err != syscall.EEXIST {
			break
		}
	}
	return unfinished, fd, err
}

// hasRoom returns an error if the file may not grow by more bytes. Without the check, a part of them would be written.
func hasRoom(fd, more int) error {
	var st syscall.Stat_t
	var limit syscall.Rlimit
	if syscall.Fstat(fd, &st) != nil || syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit) != nil || st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return nil
	}
	if uint64(st.Size)+uint64(more) > limit.Cur {
		return syscall.EFBIG
	}
	return nil
}

// closed closes a file after writing, and returns the first error.
func closed(fd int, name string, err error) error {
	if failed := syscall.Close(fd); err == nil {
		err = failed
	}
	if err != nil {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return err
}

// file writes to a descriptor.
type file int

func (f file) Write(p []byte) (n int, err error) {
	err = quietly(func() error {
		for n < len(p) {
			done, err := syscall.Write(int(f), p[n:])
			if err != nil && err != syscall.EINTR {
				return err
			}
			n += max(done, 0)
		}
		return nil
	})
	return n, err
}
