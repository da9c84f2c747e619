package abi

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

func TestRanksSayWhoTheyAre(t *testing.T) {
	host := linked(t, "errors.c")
	file := filepath.Join(t.TempDir(), "at.%r")
	r := chost.Run(t, []string{soft, "OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=4", "MGPU_STATS=" + file}, host)
	require.Contains(t, r.Lines(), "[rank 3] 'mgpuSetDefaultDevice' failed with 'hipErrorInvalidDevice': device 7: there is 1 device, number 0")
	require.Contains(t, r.Stdout, "failed twice: 4 'mgpuSetDefaultDevice'", "who fetches a failure knows the rank")
	require.NotContains(t, r.Stderr, "mgpu statistics")
	table, err := os.ReadFile(filepath.Join(filepath.Dir(file), "at.3"))
	require.NoError(t, err)
	require.Regexp(t, `^mgpu statistics of rank 3: driver soft, `, string(table))

	forked := "'mgpuStreamCreate' failed with 'process forked after the GPU runtime had started; the child may only exec'"
	require.Contains(t, r.Lines(), "[rank 3] "+forked, "C prints this without Go")
	require.Contains(t, r.Stdout, "child: 1 "+forked+"\n")

	r = chost.Run(t, []string{soft, "PMI_SIZE=2", "MGPU_STATS=1"}, host)
	require.Regexp(t, `(?m)^\[process \d+\] 'mgpuSetDefaultDevice' failed`, r.Stderr)
	require.Regexp(t, `(?m)^mgpu statistics of process \d+: `, r.Stderr)

	nowhere := filepath.Join(t.TempDir(), "no", "folder")
	r = chost.Run(t, []string{soft, "MGPU_STATS=" + nowhere}, host)
	require.Contains(t, r.Lines(), "mgpu: MGPU_STATS="+nowhere+": no such file or directory")
	require.Contains(t, r.Stderr, "mgpu statistics: driver soft")
}
