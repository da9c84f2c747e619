package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/hostfile"
)

// Names has the values for the placeholders in a file's name.
type Names struct {
	Process int
	Rank    int // -1: the process has no rank
	Host    string
	Getenv  func(string) string
}

// File returns the name for pattern: %p is the process, %r the rank, %h the host, %env{X} a variable, %% is %. A rank
// whose pattern has neither %p nor %r gets .RANK before the suffix.
func (n Names) File(pattern string) string {
	var b strings.Builder
	distinct := n.Rank < 0
	for i := 0; i < len(pattern); i++ {
		rest := pattern[i:]
		if len(rest) < 2 || rest[0] != '%' {
			b.WriteByte(rest[0])
			continue
		}
		end := strings.IndexByte(rest, '}')
		switch {
		case rest[1] == 'p':
			b.WriteString(strconv.Itoa(n.Process))
			distinct = true
		case rest[1] == 'r':
			b.WriteString(strconv.Itoa(max(n.Rank, 0)))
			distinct = true
		case rest[1] == 'h':
			b.WriteString(n.Host)
		case rest[1] == '%':
			b.WriteByte('%')
		case strings.HasPrefix(rest, "%env{") && end > 0:
			b.WriteString(strings.ReplaceAll(n.Getenv(rest[5:end]), "/", "_"))
			i += end - 1
		default:
			b.WriteByte('%')
			continue
		}
		i++
	}
	if name := b.String(); distinct {
		return name
	}
	return before(b.String(), strconv.Itoa(n.Rank))
}

// before inserts .what before a name's suffix.
func before(name, what string) string {
	suffix := filepath.Ext(name)
	return strings.TrimSuffix(name, suffix) + "." + what + suffix
}

// PartSuffix is the suffix of a file of records.
const PartSuffix = ".part"

// Candidates returns the possible names of a process's timeline: name or, if another process uses that, name with the
// process's number.
func Candidates(name string, process int) []string {
	return []string{name, before(name, strconv.Itoa(process))}
}

// create creates the file of records, for a timeline with the first of its candidates that does not exist yet. If the
// name is a folder or a device, it returns an error.
func create(name string, process int, size int64) (chosen string, fd int, err error) {
	fd = -1
	for _, chosen = range Candidates(name, process) {
		if there, err := os.Lstat(chosen); err == nil {
			if !there.Mode().IsRegular() {
				return "", -1, fmt.Errorf("%s exists and is not a regular file", chosen)
			}
			continue
		}
		fd, err = hostfile.Create(chosen+PartSuffix, size)
		if err != syscall.EEXIST {
			break
		}
	}
	switch {
	case err != nil:
		return "", -1, fmt.Errorf("%s: %w", chosen+PartSuffix, err)
	case fd < 0:
		return "", -1, fmt.Errorf("%s: %w", chosen, os.ErrExist)
	}
	return chosen, fd, nil
}
