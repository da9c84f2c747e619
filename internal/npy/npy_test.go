package npy

import (
	"bytes"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const python = "/usr/bin/python3"

func needNumpy(t *testing.T) {
	t.Helper()
	if exec.Command(python, "-c", "import numpy").Run() != nil {
		t.Skip("numpy (python3-numpy) is not installed")
	}
}

func script(t *testing.T, text string, args ...string) string {
	t.Helper()
	out, err := exec.Command(python, append([]string{"-c", text}, args...)...).CombinedOutput()
	require.NoError(t, err, "%s", out)
	return string(out)
}

func TestWhatNumpyWritesIsReadAndTheOtherWayRound(t *testing.T) {
	needNumpy(t)
	dir := t.TempDir()
	script(t, `
import itertools, numpy, sys
types = "?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"
for n, (kind, shape) in enumerate(itertools.product(types, ((), (0,), (5,), (2, 3), (2, 0, 4), (1, 2, 3, 4)))):
    size = int(numpy.prod(shape))
    with open(f"{sys.argv[1]}/{n}.npy", "wb") as f:
        numpy.lib.format.write_array(f, numpy.arange(size).astype(kind).reshape(shape), version=((1, 0), (2, 0), (3, 0))[n % 3])
`, dir)
	files, err := filepath.Glob(dir + "/*.npy")
	require.NoError(t, err)
	require.Len(t, files, 14*6)
	for _, name := range files {
		file, err := os.Open(name)
		require.NoError(t, err)
		a, err := Read(file, 1<<20)
		require.NoError(t, err, name)
		require.NoError(t, file.Close())
		out, err := os.Create(name + ".again")
		require.NoError(t, err)
		require.NoError(t, a.Write(out))
		require.NoError(t, out.Close())
	}
	assert.Equal(t, "84 the same\n", script(t, `
import glob, numpy, sys
same = 0
for name in glob.glob(sys.argv[1] + "/*.npy"):
    a, b = numpy.load(name), numpy.load(name + ".again")
    same += a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()
print(same, "the same")
`, dir))
}

func header(dict string) []byte {
	return append([]byte(magic+"\x01\x00"), append([]byte{byte(len(dict)), byte(len(dict) >> 8)}, dict...)...)
}

func TestFilesThatAreRefused(t *testing.T) {
	for why, file := range map[string][]byte{
		"not a numpy file (.npy): it starts with \"hello,\"": []byte("hello, world"),
		"not a numpy file (.npy): it is empty":               nil,
		`it starts with "\x93NUM"`:                           []byte("\x93NUM"),
		"ends in its header":                                 []byte(magic + "\x01\x00\xff\x00{"),
		"format version 4":                                   []byte(magic + "\x04\x00\x00\x00"),
		"a header of 16777216 bytes":                         []byte(magic + "\x02\x00\x00\x00\x00\x01"),
		"in columns (fortran_order)":                         header("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }"),
		"the other byte order":                               header("{'descr': '>f4', 'fortran_order': False, 'shape': (2,), }"),
		"has no type of numbers":                             header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }"),
		"has no fortran_order, or no shape":                  header("{'descr': '<f4', 'shape': (2,), }"),
		`elements of type "U3"`:                              header("{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }"),
		"is larger than the address space":                   header("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 8), }"),
		"value out of range":                                 header("{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }"),
		"has 800 bytes; at most":                             header("{'descr': '<f8', 'fortran_order': False, 'shape': (100,), }"),
		"the file has 0 bytes of the array":                  header("{'descr': '<f8', 'fortran_order': False, 'shape': (10,), }"),
	} {
		_, err := Read(bytes.NewReader(file), 100)
		assert.ErrorContains(t, err, why)
	}
}

func TestSizes(t *testing.T) {
	n, err := Bytes("c16", []uint64{3, 0, math.MaxInt64})
	require.NoError(t, err)
	assert.Zero(t, n)
	_, err = Size("f3")
	assert.ErrorContains(t, err, "known are")
}

func FuzzRead(f *testing.F) {
	f.Add(header("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }        12345678"))
	f.Fuzz(func(t *testing.T, file []byte) {
		a, err := Read(bytes.NewReader(file), 1<<16)
		if err != nil {
			return
		}
		var again bytes.Buffer
		require.NoError(t, a.Write(&again))
		b, err := Read(io.Reader(&again), 1<<16)
		require.NoError(t, err)
		require.Equal(t, a, b)
	})
}
