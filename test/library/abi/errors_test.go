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
	require.Len(t, lines, 16, r.Stdout)
	device := "4 'mgpuSetDefaultDevice' failed with 'hipErrorInvalidDevice': device 7: there is 1 device, number 0"
	require.Equal(t, []string{"first: 0 ", "another thread: 0 ", "failed twice: " + device, "again: 0 ", "cut: 2 'mgpuxGr", "nothing wanted: 4"}, lines[:6])
	require.Regexp(t, `^image: 5 'mgpuModuleLoad\(0x\w+\)' failed with 'hipErrorInvalidImage': `, lines[6])
	require.Equal(t, "success: 0 ", lines[7])
	other := func(number string) string {
		return strings.ReplaceAll(strings.TrimPrefix(device, "4 "), "device 7", "device "+number)
	}
	require.Equal(t, []string{"held none: 0 ", "held two: " + device}, lines[8:10])
	require.True(t, strings.HasPrefix(lines[10], "'mgpuxGraphEnd' failed with "), lines[10])
	require.Equal(t, "printed again: 4 "+other("6"), lines[11])
	require.Regexp(t, "^of the host: 10 'hipMallocManaged' failed with 'hipErrorOutOfMemory'", lines[12])
	require.Equal(t, "61 calls, held most", lines[13])
	require.Equal(t, "child: 1 'mgpuStreamCreate' failed with 'process forked after the GPU runtime had started; the child may only exec'", lines[14])

	printed := r.Lines()
	require.Equal(t, []string{other("6"), other("8"), other("9"), strings.TrimPrefix(lines[12], "of the host: 10 ")}, printed[5:9])
	last := len(printed) - 3
	for _, line := range printed[9:last] {
		require.Equal(t, other("100"), line)
	}
	require.Equal(t, []string{other("10"), strings.TrimPrefix(lines[14], "child: 1 "), other("11")}, printed[last:])

	r = chost.Run(t, []string{soft, "MGPU_ON_ERROR=abort"}, host)
	require.Len(t, r.Lines(), 1, r.Stderr)

	r = chost.Run(t, []string{"MGPU_DRIVER=none"}, host)
	require.Contains(t, r.Stdout, "failed twice: 11 'mgpuSetDefaultDevice' failed with 'MGPU_DRIVER=none: expected hip, cuda, soft or null'")
}
