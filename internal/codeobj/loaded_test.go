package codeobj

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// memoryOf are an object's segments as a loader places them, without relocation, and other memory after them.
func memoryOf(o *Object) []byte {
	memory := make([]byte, o.MemSize()+100)
	for _, s := range o.Segments {
		copy(memory[s.Addr:], s.Bytes)
	}
	return memory
}

func TestLoadedObjectsAreReadFromMemory(t *testing.T) {
	for _, name := range hsacos {
		t.Run(name, func(t *testing.T) {
			want, err := Parse(stripped(load(t, name+".hsaco")))
			require.NoError(t, err)
			file, err := FromMemory(memoryOf(want))
			require.NoError(t, err)
			got, err := Parse(file)
			require.NoError(t, err)
			require.Equal(t, want.Text, got.Text)
			require.Equal(t, want.Symbols, got.Symbols)
			require.Equal(t, want.Kernels, got.Kernels)
			require.Equal(t, want.Functions(), got.Functions())
			require.Equal(t, want.MemSize(), got.MemSize())
		})
	}
}

func TestMemoryWithoutACodeObjectIsAnError(t *testing.T) {
	o := parse(t, "v5")
	whole, last := memoryOf(o), o.Segments[len(o.Segments)-1]
	for n := range int(last.Addr) + len(last.Bytes) {
		_, err := FromMemory(whole[:n])
		require.Error(t, err, "%d bytes", n)
	}
	_, err := FromMemory(make([]byte, 1000))
	require.ErrorContains(t, err, "no ELF header in the loaded code object's memory")
	_, err = FromMemory(whole[:300])
	require.ErrorContains(t, err, "ELF program header table")
	elsewhere := append([]byte(nil), whole...)
	for i := range uint64(le.Uint16(elsewhere[56:])) { // e_phnum
		header := elsewhere[le.Uint64(elsewhere[32:])+i*phdrSize:]
		le.PutUint64(header[16:], 1<<62) // p_vaddr
	}
	_, err = FromMemory(elsewhere)
	require.ErrorContains(t, err, "are not in")
}
