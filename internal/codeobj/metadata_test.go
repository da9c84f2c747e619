package codeobj

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/tinylib/msgp/msgp"
)

type dict = map[string]any

func goodArg() dict {
	return dict{".offset": 8, ".size": 4, ".value_kind": "by_value", ".name": "n"}
}

func goodKernel() dict {
	return dict{
		".name": "k", ".symbol": "k.kd", ".args": []any{goodArg()},
		".kernarg_segment_size": 12, ".kernarg_segment_align": 8, ".group_segment_fixed_size": 1,
		".private_segment_fixed_size": 2, ".max_flat_workgroup_size": 256, ".wavefront_size": 64,
		".sgpr_count": 10, ".vgpr_count": 20,
	}
}

func document(t *testing.T, kernels ...any) []byte {
	t.Helper()
	b, err := msgp.AppendIntf(nil, dict{"amdhsa.version": []any{1, 2}, "amdhsa.target": "amdgcn-amd-amdhsa--gfx906", "amdhsa.kernels": kernels})
	require.NoError(t, err)
	return b
}

// with returns d with one key changed, or without it if value is nil.
func with(d dict, key string, value any) dict {
	if value == nil {
		delete(d, key)
	} else {
		d[key] = value
	}
	return d
}

func TestMetadataOfAKernel(t *testing.T) {
	k := goodKernel()
	k[".reqd_workgroup_size"] = []any{4, 5, 6}
	k[".uses_dynamic_stack"] = true
	k[".kind"] = "fini"
	k[".something_new"] = dict{"a": []any{1, "x", nil, 2.5}}
	m, err := decodeMetadata(document(t, k))
	require.NoError(t, err)
	assert.Equal(t, "amdgcn-amd-amdhsa--gfx906", m.target)
	assert.Equal(t, []Kernel{{
		Name: "k", Symbol: "k.kd", Kind: "fini", KernargSize: 12, KernargAlign: 8, GroupSize: 1, PrivateSize: 2,
		MaxFlatWorkgroupSize: 256, WavefrontSize: 64, SGPRCount: 10, VGPRCount: 20,
		ReqdWorkgroupSize: [3]uint32{4, 5, 6}, UsesDynamicStack: true,
		Args: []Arg{{Name: "n", Offset: 8, Size: 4, Kind: ByValue, KindName: "by_value"}},
	}}, m.kernels)
}

func TestMetadataKeepsKindsThatItDoesNotKnow(t *testing.T) {
	m, err := decodeMetadata(document(t, with(goodKernel(), ".args", []any{with(goodArg(), ".value_kind", "hidden_from_the_future")})))
	require.NoError(t, err)
	a := m.kernels[0].Args[0]
	assert.Equal(t, UnknownValue, a.Kind)
	assert.Equal(t, "hidden_from_the_future", a.KindName)
	assert.True(t, a.Hidden())
}

func TestMetadataErrorsNameKernelAndKey(t *testing.T) {
	for _, f := range kernelFields {
		if f.required {
			_, err := decodeMetadata(document(t, goodKernel(), with(goodKernel(), f.key, nil)))
			require.Error(t, err, f.key)
			assert.Contains(t, err.Error(), f.key+" is missing")
			if f.key != ".name" {
				assert.Contains(t, err.Error(), "kernel k: ")
			} else {
				assert.Contains(t, err.Error(), "kernel 1: ")
			}
		}
		_, err := decodeMetadata(document(t, with(goodKernel(), f.key, 1.5)))
		require.Error(t, err, f.key)
		assert.Contains(t, err.Error(), f.key+": ")
	}
	for _, f := range argFields {
		if f.required {
			_, err := decodeMetadata(document(t, with(goodKernel(), ".args", []any{goodArg(), with(goodArg(), f.key, nil)})))
			require.Error(t, err, f.key)
			assert.Contains(t, err.Error(), "kernel k: .args: argument 1: "+f.key+" is missing")
		}
		_, err := decodeMetadata(document(t, with(goodKernel(), ".args", []any{with(goodArg(), f.key, []any{})})))
		require.Error(t, err, f.key)
		assert.Contains(t, err.Error(), "kernel k: .args: argument 0: "+f.key+": ")
	}
}

func TestMetadataRefusesNonsense(t *testing.T) {
	for want, k := range map[string]dict{
		".wavefront_size: 48":                    with(goodKernel(), ".wavefront_size", 48),
		".kernarg_segment_align: 3":              with(goodKernel(), ".kernarg_segment_align", 3),
		".kernarg_segment_align: 0":              with(goodKernel(), ".kernarg_segment_align", 0),
		"argument 0 (by_value) of 4 bytes at 8":  with(goodKernel(), ".kernarg_segment_size", 11),
		".sgpr_count: 4294967296 does not fit":   with(goodKernel(), ".sgpr_count", uint64(1)<<32),
		".vgpr_count: ":                          with(goodKernel(), ".vgpr_count", -1),
		".reqd_workgroup_size: 2 numbers, not 3": with(goodKernel(), ".reqd_workgroup_size", []any{1, 2}),
		".name: is int, not str":                 with(goodKernel(), ".name", 1),
	} {
		_, err := decodeMetadata(document(t, k))
		require.Error(t, err, want)
		assert.Contains(t, err.Error(), want)
	}
	for want, b := range map[string][]byte{
		"amdhsa.version is missing":                   msgp.AppendMapHeader(nil, 0),
		"amdhsa.version: 2.0 is not known":            append(msgp.AppendString(msgp.AppendMapHeader(nil, 1), "amdhsa.version"), 0x92, 2, 0),
		"amdhsa.version: 1 numbers":                   append(msgp.AppendString(msgp.AppendMapHeader(nil, 1), "amdhsa.version"), 0x91, 1),
		"the metadata ends":                           nil,
		"is int, not map":                             {1},
		`"amdhsa.kernels": the metadata ends`:         msgp.AppendArrayHeader(msgp.AppendString(msgp.AppendMapHeader(nil, 1), "amdhsa.kernels"), 1<<32-1),
		"key 0 of 4294967295: the metadata ends":      msgp.AppendMapHeader(nil, 1<<32-1),
		"key 0 of 1: the metadata ends in the middle": append(msgp.AppendMapHeader(nil, 1), 0xdb, 0xff, 0xff, 0xff, 0xff, 'x'),
	} {
		_, err := decodeMetadata(b)
		require.Error(t, err, want)
		assert.Contains(t, err.Error(), want)
	}
}

func TestMetadataCutAnywhereFails(t *testing.T) {
	b := document(t, goodKernel(), goodKernel())
	for n := range b {
		_, err := decodeMetadata(b[:n])
		assert.Error(t, err, "cut at %d", n)
	}
}

func TestMetadataNestedDeeplyFails(t *testing.T) {
	b := msgp.AppendString(msgp.AppendMapHeader(nil, 1), "amdhsa.deep")
	b = append(b, strings.Repeat("\x91", 1<<20)...)
	_, err := decodeMetadata(b)
	assert.Error(t, err)
}

func TestNotesArePaddedToFourBytes(t *testing.T) {
	note := func(owner string, kind uint32, desc string) []byte {
		b := binary.LittleEndian.AppendUint32(nil, uint32(len(owner)))
		b = binary.LittleEndian.AppendUint32(b, uint32(len(desc)))
		b = binary.LittleEndian.AppendUint32(b, kind)
		b = append(append(b, owner...), make([]byte, -len(owner)&3)...)
		return append(append(b, desc...), make([]byte, -len(desc)&3)...)
	}
	b := append(note("X\x00", 32, "12345"), note(noteOwner, 27, "1")...)
	none, err := findNotes(b, noteOwner, noteMetadata)
	require.NoError(t, err)
	assert.Nil(t, none)
	b = append(append(b, note(noteOwner, 32, "found")...), note(noteOwner, 32, "again")...)
	got, err := findNotes(b, noteOwner, noteMetadata)
	require.NoError(t, err)
	assert.Equal(t, [][]byte{[]byte("found"), []byte("again")}, got)
}
