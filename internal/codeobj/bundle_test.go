package codeobj

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestUnbundlePicksTheBestEntry(t *testing.T) {
	const pre = "hipv4-amdgcn-amd-amdhsa--"
	ids := []string{
		"host-x86_64-unknown-linux-gnu-", pre + "gfx9-generic", pre + "gfx906", pre + "gfx90a:xnack+",
		pre + "gfx90a:xnack-", pre + "gfx90a", "hip-amdgcn-amd-amdhsa-unknown-gfx942", "openmp-nvptx64-nvidia-cuda-sm_80",
		"hipv4-amdgpu9.08-amd-amdhsa-unknown-gfx908:xnack-", "hip-amdgpu9.4-amd-amdhsa-unknown-gfx9-4-generic",
	}
	entries := map[string][]byte{}
	for _, id := range ids {
		entries[id] = []byte("image of " + id)
	}
	image := append(bundle(entries, ids...), "more"...)
	for target, want := range map[string]string{
		"gfx906":                           pre + "gfx906",
		"amdgcn-amd-amdhsa--gfx906":        pre + "gfx906",
		"gfx906:sramecc+:xnack-":           pre + "gfx906",
		"gfx900":                           pre + "gfx9-generic",
		"gfx90a:xnack-":                    pre + "gfx90a:xnack-",
		"gfx90a:sramecc+:xnack+":           pre + "gfx90a:xnack+",
		"gfx90a":                           pre + "gfx90a",
		"gfx942":                           "hip-amdgcn-amd-amdhsa-unknown-gfx942",
		"amdgcn-amd-amdhsa-unknown-gfx942": "hip-amdgcn-amd-amdhsa-unknown-gfx942",
		"amdgpu9.42-amd-amdhsa--gfx942":    "hip-amdgcn-amd-amdhsa-unknown-gfx942",
		"gfx908":                           "hipv4-amdgpu9.08-amd-amdhsa-unknown-gfx908:xnack-",
		"gfx950:xnack-":                    "hip-amdgpu9.4-amd-amdhsa-unknown-gfx9-4-generic",
	} {
		got, err := Unbundle(image, target)
		require.NoError(t, err, target)
		assert.Equal(t, "image of "+want, string(got), target)
	}
	_, err := Unbundle(image, "gfx1100")
	assert.EqualError(t, err, "offload bundle: no code object for gfx1100; it has: gfx9-generic, gfx906, gfx90a:xnack+, gfx90a:xnack-, gfx90a, gfx942, gfx908:xnack-, gfx9-4-generic")
	_, err = Unbundle(bundle(map[string][]byte{pre + "gfx90a:xnack+": {1}}, pre+"gfx90a:xnack+"), "gfx90a:xnack-")
	assert.ErrorContains(t, err, "no code object for gfx90a:xnack-")
	for _, target := range []string{"", "gfx", "sm_80", "amdgcn-"} {
		_, err := Unbundle(image, target)
		assert.Error(t, err, target)
	}
}

func TestUnbundleOfTruncatedBundlesFails(t *testing.T) {
	image := bundle(map[string][]byte{"hipv4-amdgcn-amd-amdhsa--gfx906": []byte("abc")}, "hipv4-amdgcn-amd-amdhsa--gfx906")
	for n := range image {
		_, err := Unbundle(image[:n], "gfx906")
		assert.Error(t, err, "cut at %d", n)
	}
	_, err := Unbundle(load(t, "v5.hsaco"), "gfx906")
	assert.ErrorContains(t, err, "not an offload bundle")
}

func TestUnbundledCodeObjectsParse(t *testing.T) {
	id := "hipv4-amdgcn-amd-amdhsa--gfx906"
	image, err := Unbundle(bundle(map[string][]byte{id: load(t, "v6.hsaco")}, "host-x86_64-unknown-linux-gnu-", id), "gfx906:xnack-")
	require.NoError(t, err)
	o, err := Parse(image)
	require.NoError(t, err)
	assert.True(t, o.ID.Runs(ParseTarget("gfx906:xnack-")))
	assert.False(t, o.ID.Runs(ParseTarget("gfx900")))
}

func TestTargetsKeepTheirFeatures(t *testing.T) {
	for s, want := range map[string]Target{
		"gfx906":                  {Processor: "gfx906"},
		"gfx90a:sramecc+:xnack-":  {"gfx90a", FeatureOff, FeatureOn},
		"gfx90a:xnack+":           {"gfx90a", FeatureOn, FeatureAny},
		"gfx9-4-generic:sramecc-": {"gfx9-4-generic", FeatureAny, FeatureOff},
	} {
		for _, prefix := range []string{"", "amdgcn-amd-amdhsa--", "amdgcn-amd-amdhsa-unknown-", "amdgpu9.06-amd-amdhsa-unknown-", "amdgpu-amd-amdhsa--"} {
			got := ParseTarget(prefix + s)
			assert.Equal(t, want, got, prefix+s)
			assert.Equal(t, s, got.String())
		}
	}
	assert.Equal(t, Target{Processor: "gfx906"}, ParseTarget("gfx906:warp+:x:"))
	for triple, want := range map[string]string{
		"amdgpu9.06-amd-amdhsa": "gfx906", "amdgpu9.0a-amd-amdhsa-": "gfx90a", "amdgpu9.50-amd-amdhsa--": "gfx950",
		"amdgpu9-amd-amdhsa": "gfx9-generic", "amdgpu9.4-amd-amdhsa": "gfx9-4-generic", "amdgcn-amd-amdhsa": "", "amdgpu-amd-amdhsa": "",
	} {
		assert.Equal(t, Target{Processor: want}, ParseTarget(triple), triple)
	}
}
