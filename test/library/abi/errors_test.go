package abi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestAProgramCanFetchTheFirstFailureOfAThread(t *testing.T) {
	host := linked(t, "errors.c")
	r := chost.Run(t, []string{soft}, host)
	require.Equal(t, "exit 0", r.End)
	lines := strings.Split(r.Stdout, "\n")
	require.Len(t, lines, 10, r.Stdout)
	device := "4 'mgpuSetDefaultDevice' failed with 'hipErrorInvalidDevice': device 7: there is 1 device, number 0"
	require.Equal(t, []string{"first: 0 ", "another thread: 0 ", "failed twice: " + device, "again: 0 ", "cut: 2 'mgpuxGr", "nothing wanted: 4"}, lines[:6])
	require.Regexp(t, `^image: 5 'mgpuModuleLoad\(0x\w+\)' failed with 'hipErrorInvalidImage': `, lines[6])
	require.Equal(t, "success: 0 ", lines[7])
	require.Equal(t, "child: 1 'mgpuStreamCreate' failed with 'process forked after the GPU runtime had started; the child may only exec'", lines[8])
	require.Len(t, r.Lines(), 6, r.Stderr)

	r = chost.Run(t, []string{"MGPU_DRIVER=none"}, host)
	require.Contains(t, r.Stdout, "failed twice: 11 'mgpuSetDefaultDevice' failed with 'MGPU_DRIVER=none: expected hip, cuda, soft or null'")
}
