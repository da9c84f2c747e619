package abi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/fakehip"
	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// Only the software GPU checks. With another driver one line says, before anything runs, that nothing is checked.
func TestChecksThatNobodyMakesAreSaid(t *testing.T) {
	host := linked(t, "life.c")
	fakeHIP := []string{"MGPU_DRIVER=hip", "MGPU_HIP_LIBRARY=" + fakehip.Library(t), "FAKEHIP_IGNORE=leak"}
	for name, env := range map[string][]string{"null": {null}, "hip": fakeHIP} {
		said := chost.Run(t, append(env, "MGPU_CHECK=memory,race"), host)
		quiet := chost.Run(t, append(env, "MGPU_CHECK=off"), host)
		require.Equal(t, quiet.Stdout, said.Stdout)
		require.Equal(t, append([]string{"mgpu: MGPU_CHECK=memory,race: MGPU_DRIVER=" + name +
			" checks nothing; the software GPU does (MGPU_DRIVER=soft, or below HIP: mgpu run --rocm)"}, quiet.Lines()...), said.Lines())
		require.NotContains(t, quiet.Stderr, "MGPU_CHECK")
	}
	for _, env := range [][]string{{soft}, nil} {
		r := chost.Run(t, append(env, "MGPU_CHECK=sync"), host)
		require.Equal(t, "exit 0", r.End)
		require.NotContains(t, r.Stderr, "ignored")
		require.Empty(t, r.Stderr, "nothing was launched, nothing is found")
	}
}
