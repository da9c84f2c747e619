package main

import (
	"crypto/sha256"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/input"
)

// The loader splits LD_PRELOAD and LD_LIBRARY_PATH at these characters, which can't be quoted, and replaces $ORIGIN and
// similar text.
const (
	endsPreload = ": \t\n\v\f\r$"
	endsFolder  = ":;\n$"
)

// loadable returns a path of a file for LD_PRELOAD: its own or, if its folder's path has one of these characters, one
// through a symbolic link.
func loadable(file string) (string, error) {
	if strings.ContainsAny(filepath.Base(file), endsPreload) {
		return linkTo(file)
	}
	folder, err := filepath.Dir(file), error(nil)
	if strings.ContainsAny(folder, endsPreload) {
		if folder, err = linkTo(folder); err != nil {
			return "", err
		}
	}
	return filepath.Join(folder, filepath.Base(file)), nil
}

// searchable returns a path of a folder for LD_LIBRARY_PATH.
func searchable(folder string) (string, error) {
	if !strings.ContainsAny(folder, endsFolder) {
		return folder, nil
	}
	return linkTo(folder)
}

// linkTo makes a symbolic link to path in a folder that only this user can change. The link is not removed, since
// processes may outlive the program, and it has the same name each time.
func linkTo(path string) (string, error) {
	var reasons []string
	for _, parent := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.Getenv("TMPDIR"), "/tmp"} {
		if !filepath.IsAbs(parent) || strings.ContainsAny(parent, endsPreload+endsFolder) {
			continue
		}
		link, err := linkBelow(parent, path)
		if err == nil {
			return link, nil
		}
		reasons = append(reasons, err.Error())
	}
	return "", fmt.Errorf("the loader splits %q at spaces and colons, and no link to it can be made: %s", path, strings.Join(reasons, "; "))
}

func linkBelow(parent, path string) (string, error) {
	own := filepath.Join(parent, fmt.Sprintf("mgpu-%d", os.Getuid()))
	if err := os.Mkdir(own, 0o700); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(own)
	if err != nil {
		return "", err
	}
	if s, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || info.Mode().Perm()&0o077 != 0 || ok && int(s.Uid) != os.Getuid() {
		return "", fmt.Errorf("%s is not a folder that only this user can enter", own)
	}
	link := filepath.Join(own, fmt.Sprintf("%.16x", sha256.Sum256([]byte(path))))
	if to, err := os.Readlink(link); err == nil && to == path {
		return link, nil
	}
	unfinished := fmt.Sprintf("%s.%d", link, os.Getpid())
	if err := os.Symlink(path, unfinished); err != nil {
		return "", err
	}
	if err := os.Rename(unfinished, link); err != nil {
		_ = os.Remove(unfinished)
		return "", err
	}
	return link, nil
}

// mostInterpreters is the number of nested scripts that the system executes.
const mostInterpreters = 5

// takesLibraries returns an error that says why the loader can't preload a library into a program. It returns nil for
// files that can't be executed, which the system refuses.
func takesLibraries(program string, like *elf.FileHeader) error {
	for range mostInterpreters {
		f, err := input.Open(program)
		if err != nil {
			return nil //nolint:nilerr // a program may be executable and not readable
		}
		err = takesLibrariesItself(f, program, like)
		next := interpreter(f)
		f.Close()
		if err != nil || next == "" {
			return err
		}
		program = next
	}
	return nil
}

// interpreter returns the program in a script's first line; empty for other files.
func interpreter(f *os.File) string {
	line := make([]byte, 256)
	n, _ := f.ReadAt(line, 0)
	rest, script := strings.CutPrefix(string(line[:n]), "#!")
	if !script {
		return ""
	}
	rest, _, _ = strings.Cut(rest, "\n")
	name, _, _ := strings.Cut(strings.TrimLeft(rest, " \t"), " ")
	name, _, _ = strings.Cut(name, "\t")
	return name
}

func takesLibrariesItself(f *os.File, name string, like *elf.FileHeader) error {
	e, err := input.NewELF(f)
	if err != nil {
		return nil // a script, or a file that the system does not execute
	}
	if e.Class != like.Class || e.Machine != like.Machine {
		return fmt.Errorf("%s is a program for %s, %s, and the library is for %s, %s", name, machine(e.Machine), e.Class, machine(like.Machine), like.Class)
	}
	sonames, _ := e.DynString(elf.DT_SONAME)
	loader := len(sonames) > 0 && strings.HasPrefix(sonames[0], "ld-") // takes a program as its argument
	dynamic := loader
	for _, p := range e.Progs {
		dynamic = dynamic || p.Type == elf.PT_INTERP
	}
	if !dynamic {
		return fmt.Errorf("%s is linked statically: no library can be put before it, and it calls none", name)
	}
	if gainsRights(f) {
		return fmt.Errorf("%s runs with more rights than its caller's (setuid, setgid or capabilities): the loader puts no library before it", name)
	}
	return nil
}

func machine(m elf.Machine) string { return strings.TrimPrefix(m.String(), "EM_") }

// gainsRights reports whether a process that executes the file gets rights that its caller lacks.
func gainsRights(f *os.File) bool {
	const noNewRights = 39 // PR_GET_NO_NEW_PRIVS
	if on, _, _ := syscall.RawSyscall(syscall.SYS_PRCTL, noNewRights, 0, 0); on == 1 {
		return false
	}
	var mount syscall.Statfs_t
	const noSetuid = 2 // ST_NOSUID
	if syscall.Fstatfs(int(f.Fd()), &mount) == nil && mount.Flags&noSetuid != 0 {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return false
	}
	if info.Mode()&os.ModeSetuid != 0 && int(s.Uid) != os.Getuid() || info.Mode()&os.ModeSetgid != 0 && int(s.Gid) != os.Getgid() {
		return true
	}
	size, err := syscall.Getxattr(fmt.Sprintf("/proc/self/fd/%d", f.Fd()), "security.capability", nil)
	return err == nil && size > 0 && os.Getuid() != 0
}
