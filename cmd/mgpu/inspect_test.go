package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const objects = "../../internal/codeobj/testdata/"

func describe(t *testing.T, file string, disassemble bool) string {
	t.Helper()
	image, err := os.ReadFile(objects + file)
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, inspect(&out, file, image, disassemble))
	return out.String()
}

func TestKernelsAndTheirNeeds(t *testing.T) {
	out := describe(t, "v4.hsaco", false)
	assert.Contains(t, out, "target: amdgcn-amd-amdhsa--gfx906, code object version 4")
	assert.Regexp(t, `(?m)^saxpy +5 +28 .* 64$`, out)
	assert.Contains(t, out, "shared between loads: yes")
	assert.NotContains(t, out, "s_endpgm")
}

func TestKernelsThatCallTheHostAreMarked(t *testing.T) {
	out := describe(t, "hostcall.hsaco", false)
	assert.Regexp(t, `(?m)^asks .* yes +\d+$`, out)
	assert.Regexp(t, `(?m)^may .* maybe +\d+$`, out)
}

func TestDisassemblyNamesKernels(t *testing.T) {
	assert.Regexp(t, `(?s)saxpy:\n.*s_endpgm`, describe(t, "v5.hsaco", true))
}

func TestWhyAModuleIsNotShared(t *testing.T) {
	assert.Contains(t, describe(t, "globals.hsaco", false), "no, variable counter")
}

func TestAChipThatTheSoftwareGPUIsNot(t *testing.T) {
	assert.Contains(t, describe(t, "gfx1100.hsaco", false), "software GPU: ")
}

func TestWhatIsNoImageIsRefused(t *testing.T) {
	require.Error(t, inspect(&strings.Builder{}, "x", []byte("hello"), false))
}
