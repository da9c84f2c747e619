package hostfile

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func text(s string) func(io.Writer) error {
	return func(to io.Writer) error {
		_, err := io.WriteString(to, s)
		return err
	}
}

func TestReplacedFilesAreWholeWhoeverReplacesThem(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, strings.Repeat("n", 250))
	var all sync.WaitGroup
	for i := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 20 {
				require.NoError(t, Replace(name, text(strings.Repeat(fmt.Sprint(i), 100000))))
				got, err := os.ReadFile(name)
				require.NoError(t, err)
				require.Equal(t, strings.Repeat(string(got[:1]), 100000), string(got))
			}
		}()
	}
	all.Wait()
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

func TestAFailureLeavesWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	require.NoError(t, Add(name, []byte("one\n")))
	require.NoError(t, Add(name, []byte("two\n")))
	require.ErrorIs(t, Replace(name, func(io.Writer) error { return io.ErrShortBuffer }), io.ErrShortBuffer)
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\n", string(got))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// A signal would end this process: Go stops at SIGXFSZ.
func TestTheLimitOfAFilesSizeIsAnError(t *testing.T) {
	var before syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &before))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 10, Max: before.Max}))
	defer func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &before)) }()
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	require.NoError(t, Add(name, []byte("12345678")))
	require.ErrorIs(t, Add(name, []byte("9012")), syscall.EFBIG)
	require.ErrorIs(t, Replace(name, text("12345678901")), syscall.EFBIG)
	_, err := Create(filepath.Join(dir, "new"), 11)
	require.ErrorIs(t, err, syscall.EFBIG)
	got, err := os.ReadFile(name)
	require.NoError(t, err)
	require.Equal(t, "12345678", string(got))
	left, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, left, 1)
}

// Links of the system's lead there, and to whatever the process has there: a pipe, say.
func TestTheProcessesOwnOutputIsWrittenTo(t *testing.T) {
	read, written, err := os.Pipe()
	require.NoError(t, err)
	own, err := syscall.Dup(2)
	require.NoError(t, err)
	require.NoError(t, syscall.Dup3(int(written.Fd()), 2, 0))
	added := Add("/dev/stderr", []byte("added\n"))
	replaced := Replace("/dev/stderr", text("replaced\n"))
	require.NoError(t, syscall.Dup3(own, 2, 0))
	require.NoError(t, syscall.Close(own))
	require.NoError(t, written.Close())
	got, err := io.ReadAll(read)
	require.NoError(t, err)
	require.NoError(t, added)
	require.NoError(t, replaced)
	require.Equal(t, "added\nreplaced\n", string(got))
}
