package abi

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// The first call reads the environment. A later change, in any thread, neither disturbs the library nor changes its
// behaviour.
func TestTheEnvironmentIsReadAtTheFirstCallAndNeverAgain(t *testing.T) {
	host := linked(t, "environment.c", "-rdynamic")
	dir := t.TempDir()
	r := chost.Run(t, []string{soft, "MGPU_SOFT_DEVICES=2", "MGPU_CHECK=leak", "MGPU_STATS=" + dir + "/stats", "MGPU_REPORT=" + dir + "/report",
		"MGPU_ON_ERROR=exit:9", "PLACE=here", "ROCR_VISIBLE_DEVICES=0,1", "SLURM_LOCALID=0"}, host, dir+"/%env{PLACE}.json")
	require.Equal(t, "exit 9", r.End, r.Stdout+r.Stderr)
	require.Equal(t, "device 1\nend\n", r.Stdout)
	for _, name := range []string{"stats", "report", "here.json.part"} {
		info, err := os.Stat(filepath.Join(dir, name))
		require.NoError(t, err)
		require.NotZero(t, info.Size(), name)
	}
}
