package check

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/source"
)

func TestModesAreAList(t *testing.T) {
	for text, want := range map[string]Modes{
		"":                    {},
		"off":                 {},
		"memory":              {Memory: true},
		" memory , uninit ":   {Memory: true, Uninit: true},
		"strict":              {Memory: true, Strict: true},
		"align":               {Memory: true, Align: true},
		"race":                {Race: true, Sync: true},
		"sync":                {Sync: true},
		"wait":                {Wait: true},
		"all":                 {Memory: true, Race: true, Uninit: true, Sync: true, Wait: true},
		"memory,race,uninit,": {Memory: true, Race: true, Uninit: true, Sync: true},
	} {
		m, err := ParseModes(text)
		require.NoError(t, err, text)
		assert.Equal(t, want, m, text)
		assert.Equal(t, want != Modes{}, m.Any(), text)
		again, err := ParseModes(m.String())
		require.NoError(t, err)
		assert.Equal(t, m, again)
	}
	leak, err := ParseModes("leak")
	require.NoError(t, err)
	assert.Equal(t, Modes{Leak: true}, leak)
	assert.False(t, leak.Any(), "kernels are not watched for it")
	_, err = ParseModes("memory,everything")
	require.ErrorContains(t, err, `"everything"`)
}

func FuzzSourceOfAnything(f *testing.F) {
	f.Add([]byte("\x7fELF"), uint32(0))
	f.Fuzz(func(_ *testing.T, image []byte, offset uint32) { source.New(image, 0x1000).Line(offset) })
}
