package hostcall

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFormatsOfRecordsAreRead(t *testing.T) {
	r, err := ParseRecords([]string{`1:0:no arguments\72 at all\n`, "2:2:1:8:%d:%ld", "0:0:3d344be708e212c7,item: %d, %s\n"})
	require.NoError(t, err)
	assert.Equal(t, map[uint32]record{1: {"no arguments: at all\n", nil}, 2: {"%d:%ld", []uint32{4, 8}}}, r.byID)
	assert.Equal(t, map[uint64]string{0x3d344be708e212c7: "item: %d, %s\n"}, r.byHash)

	r, err = ParseRecords([]string{`1:0:C\\72\t\dir\\n`, `0:0:1,C:\t\dir\n`})
	require.NoError(t, err)
	assert.Equal(t, "C\\:\\t\\dir\\\n", r.byID[1].format, "LLVM escapes controls and colons, and no backslash")
	assert.Equal(t, `C:\t\dir\n`, r.byHash[1], "HIP's formats are the source's")

	for _, bad := range []string{"", "x", "1", "1:", "1:2:4:", "1:x:a", "9999999999:0:a", "1:4000000000:4:4:a"} {
		_, err := ParseRecords([]string{bad})
		require.Error(t, err, "%q", bad)
	}
}

// filled is a printf buffer with words in it.
func filled(used uint32, words ...uint32) []byte {
	mem := make([]byte, 256)
	NewRecords(mem)
	binary.LittleEndian.PutUint32(mem, used)
	for i, w := range words {
		binary.LittleEndian.PutUint32(mem[recordsStart+4*i:], w)
	}
	return mem
}

func TestRecordsThatAreDamagedAreErrors(t *testing.T) {
	cl, err := ParseRecords([]string{"1:1:4:n%d;", "2:1:64:s%s;"})
	require.NoError(t, err)
	hip, err := ParseRecords([]string{"0:0:10,h%d;"})
	require.NoError(t, err)
	for _, c := range []struct {
		r    *Records
		mem  []byte
		says string
		want string
	}{
		{cl, filled(16, 1, 7, 1, 8), "", "n7;n8;"},
		{cl, filled(0), "", ""},
		{cl, filled(12, 1, 7, 3), "there is no format 3", "n7;"},
		{cl, filled(12, 1, 7, 2), "the arguments of format 2 end past it", "n7;"},
		{cl, filled(249), "249 bytes in use, of 248", ""},
		{hip, filled(20, 20<<2|2, 0x10, 0, 5, 0), "", "h5;"},
		{hip, filled(20, 20<<2|3, 0x10, 0, 5, 0), "", "err:h5;"},
		{hip, filled(20, 20<<2|2, 0x11, 0, 5, 0), "there is no format 0000000000000011", ""},
		{hip, filled(20, 4<<2|2), "a record without its format", ""},
		{hip, filled(20, 2<<2|2), "a record of 2 bytes where 20 are left", ""},
		{hip, filled(20, 400<<2|2), "a record of 400 bytes where 20 are left", ""},
	} {
		out, errs := new(bytes.Buffer), new(bytes.Buffer)
		err := (&Services{Stdout: out, Stderr: errs}).PrintRecords(c.mem, c.r)
		if c.says == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.says)
		}
		text := out.String()
		if errs.Len() > 0 {
			text = "err:" + errs.String()
		}
		assert.Equal(t, c.want, text)
	}
}

func FuzzRecords(f *testing.F) {
	f.Add("1:2:4:8:%d %v2f%s", []byte{16, 0, 0, 0, 1})
	f.Add("0:0:10,%d%s", []byte{16, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, format string, mem []byte) {
		r, err := ParseRecords([]string{format})
		if err != nil || len(mem) < recordsStart {
			return
		}
		_ = (&Services{Stdout: new(bytes.Buffer), Stderr: new(bytes.Buffer)}).PrintRecords(mem, r)
	})
}
