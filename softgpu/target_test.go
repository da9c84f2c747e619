package softgpu

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestFeaturesDecideWhatLoads goes through what a code object may demand of
// xnack and what a device may have of it.
func TestFeaturesDecideWhatLoads(t *testing.T) {
	const chip = "gfx90a"
	for _, c := range []struct {
		code, device string
		loads        bool
	}{
		{"", "", true}, {":xnack+", "", true}, {":xnack-", "", true},
		{"", ":xnack+", true}, {"", ":sramecc-:xnack-", true},
		{":xnack+", ":xnack+", true}, {":xnack-", ":xnack+", false}, {":xnack+", ":xnack-", false},
		{":sramecc+", ":xnack-", true}, {":sramecc+:xnack-", ":sramecc+:xnack-", true},
		{":sramecc-:xnack-", ":sramecc+:xnack-", false},
	} {
		d := open(t, Options{Chip: chip + c.device})
		_, err := d.ModuleLoad(image(t, "-mcpu="+chip+c.code))
		if c.loads {
			assert.NoError(t, err, "%s: %+v", chip, c)
			continue
		}
		require.ErrorContains(t, err, "the code object is for "+chip+c.code+", the device is "+chip+c.device)
	}
}

// TestChipsRefuseEachOthersCode loads code for every chip on every chip.
func TestChipsRefuseEachOthersCode(t *testing.T) {
	codes := map[string][]byte{}
	for _, chip := range chips() {
		codes[chip] = image(t, "-mcpu="+chip)
	}
	for _, generic := range []string{"gfx9-generic", "gfx9-4-generic"} {
		codes[generic] = image(t, "-mcpu="+generic, "-O2", "-mcode-object-version=6")
	}
	family := map[string]string{"gfx900": "gfx9-generic", "gfx906": "gfx9-generic", "gfx942": "gfx9-4-generic", "gfx950": "gfx9-4-generic"}
	for _, device := range chips() {
		d := open(t, Options{Chip: device})
		for code, image := range codes {
			_, err := d.ModuleLoad(image)
			if code == device || code == family[device] {
				assert.NoError(t, err, "%s on %s", code, device)
				continue
			}
			require.ErrorContains(t, err, "the code object is for "+code+", the device is "+device)
		}
	}
}

// TestGenericCodeRunsByItsVersion changes the version that the header of generic code tells.
func TestGenericCodeRunsByItsVersion(t *testing.T) {
	d := open(t, Options{Chip: "gfx950"})
	const version = 0x33 // the last byte of e_flags
	code := bytes.Clone(image(t, "-mcpu=gfx9-4-generic", "-O2", "-mcode-object-version=6"))
	require.Equal(t, byte(1), code[version])
	for _, v := range []byte{1, 2, 255} {
		code[version] = v
		_, err := d.ModuleLoad(code)
		require.NoError(t, err, "version %d", v)
	}
	code[version] = 0
	_, err := d.ModuleLoad(code)
	require.ErrorContains(t, err, "code for gfx9-4-generic without a generic version")
}
