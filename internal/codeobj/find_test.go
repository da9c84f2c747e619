package codeobj

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestImagesAreFoundWithinAFile(t *testing.T) {
	object, ptx := load(t, "v5.hsaco"), append(load(t, "globals.ptx"), 0)
	const id = "hipv4-amdgcn-amd-amdhsa--gfx906"
	packed := bundle(map[string][]byte{id: object}, "host-x86_64-unknown-linux-gnu-", id)
	var file []byte
	var want []Found
	put := func(kind Kind, image []byte) {
		file = append(file, "\x7fELF CCOB \x50\xed\x55\xba__CLANG_OFFLOAD_BUNDLE__ .version \x00"...) // they only look so
		want = append(want, Found{len(file), kind, image, false})
		file = append(file, image...)
	}
	put(KindHSACO, object)
	put(KindBundle, packed)
	put(KindPTX, ptx)
	put(KindHSACO, load(t, "v4.hsaco"))
	assert.Equal(t, want, Find(append(file, "\x7fELF"...)))
	assert.Empty(t, Find(nil))
	assert.Empty(t, Find(object[:len(object)-1]), "cut")
}

func TestImagesAreFoundInTexts(t *testing.T) {
	object, ptx := load(t, "v5.hsaco"), load(t, "globals.ptx")
	text := []byte("gpu.binary @a [#gpu.object<#rocdl.target, bin = \"" + escape(string(object)) + "\">]\n" +
		"@b = constant [9 x i8] c\"" + escape(string(ptx)) + "\", align 8\n")
	found := Find(text)
	require.Len(t, found, 2)
	assert.Equal(t, KindHSACO, found[0].Kind)
	assert.Equal(t, object, found[0].Image)
	assert.True(t, found[0].Escaped)
	assert.Equal(t, append(ptx, 0), found[1].Image)
}

func TestStringsMeanWhatMLIRWrote(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	meaning, read := unescape([]byte(escape(string(all)) + "\" and more"))
	assert.Equal(t, all, meaning)
	assert.Equal(t, len(escape(string(all))), read)
	meaning, _ = unescape([]byte(`a\\b\n\tc\0ad"`))
	assert.Equal(t, "a\\b\n\tc\nd", string(meaning))
}

// What a compiler embeds is found in each form that it goes through.
func TestImagesAreFoundInWhatMLIRWrites(t *testing.T) {
	opt, err := exec.LookPath("mlir-opt-22")
	if err != nil {
		t.Skip("mlir-opt-22 is not installed")
	}
	object, dir := load(t, "v5.hsaco"), t.TempDir()
	source := filepath.Join(dir, "a.mlir")
	require.NoError(t, os.WriteFile(source, []byte("gpu.binary @a [#gpu.object<#rocdl.target<chip = \"gfx906\">, bin = \""+escape(string(object))+"\">]\n"), 0o644))
	for _, flags := range [][]string{nil, {"--emit-bytecode"}} {
		out, err := exec.Command(opt, append(flags, source)...).Output()
		require.NoError(t, err)
		found := Find(out)
		require.Len(t, found, 1, "%v", flags)
		assert.Equal(t, object, found[0].Image)
	}
}

func FuzzFind(f *testing.F) {
	object := load(f, "v5.hsaco")
	f.Add(object)
	f.Add([]byte(`"` + escape(string(object)) + `"`))
	f.Add(bytes.Repeat([]byte(`".version .target .address_size`), 10))
	f.Fuzz(func(_ *testing.T, file []byte) { Find(file) })
}
