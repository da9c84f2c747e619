package process

import (
	"fmt"
	"path/filepath"
	"syscall"
)

// AddTo adds text to a file, in one write, so that processes may share it.
func AddTo(name string, text []byte) error {
	return write(name, syscall.O_APPEND, text)
}

// Replace writes a file anew. The file is whole at every moment at which it exists.
func Replace(name string, text []byte) error {
	unfinished := filepath.Join(filepath.Dir(name), "."+filepath.Base(name))
	err := write(unfinished, syscall.O_TRUNC, text)
	if err == nil {
		err = syscall.Rename(unfinished, name)
	}
	if err != nil {
		_ = syscall.Unlink(unfinished)
	}
	return err
}

func write(name string, how int, text []byte) error {
	fd, err := syscall.Open(name, syscall.O_WRONLY|syscall.O_CREAT|how|syscall.O_CLOEXEC, 0o666)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, err = Descriptor(fd).Write(text)
	if closed := syscall.Close(fd); err == nil {
		err = closed
	}
	return err
}
