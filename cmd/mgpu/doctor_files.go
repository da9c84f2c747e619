package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/ranks"
	"github.com/mgpu-runtime/mgpu/internal/settings"
)

// files reports settings that name a file which can't be written.
func (d *doctor) files() {
	rank, _ := ranks.Find(d.get)
	added := func(pattern string) string { return rank.FileName(pattern, os.Getpid()) }
	d.file("MGPU_STATS", false, added)
	d.file("MGPU_REPORT", false, added)
	d.file("MGPU_TRACE", true, traceNames(os.Getpid(), d.get).File)
}

// file checks a setting from whose value name makes a file's name. regular: the file must not be a device.
func (d *doctor) file(setting string, regular bool, name func(pattern string) string) {
	value := d.get(setting)
	pattern, _ := settings.ParseFile(value)
	if pattern == "" {
		return
	}
	if err := unwritable(name(pattern), regular); err != nil {
		d.wrong("%s=%s: %v", setting, value, err)
	}
}

// unwritable returns why the library (internal/hostfile, internal/trace) can't write or create a file; nil if it can.
func unwritable(name string, regular bool) error {
	const writing, entering = 2, 1
	if !regular && (name == "/dev/stdout" || name == "/dev/stderr") {
		return nil // the process's own descriptors
	}
	folder := filepath.Dir(name)
	info, err := os.Lstat(name)
	switch {
	case err == nil && info.Mode()&os.ModeSymlink != 0:
		return errors.New("that is a symbolic link: name the file that it leads to")
	case err == nil && info.IsDir():
		return errors.New("that is a folder")
	case err == nil && syscall.Access(name, writing) != nil:
		return errors.New("the file can't be written")
	case err == nil && regular && !info.Mode().IsRegular():
		return errors.New("that is not a regular file")
	case err == nil && info.Mode()&(os.ModeNamedPipe|os.ModeSocket) != 0:
		return errors.New("that is a pipe, not a file")
	case err == nil:
		return nil
	}
	if info, err = os.Stat(folder); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no folder %s", folder)
	}
	if syscall.Access(folder, writing|entering) != nil {
		return fmt.Errorf("nothing can be written in %s", folder)
	}
	return nil
}
