package abi

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/test/internal/chost"
)

// addresses are those of handles, which differ in each run.
var addresses = regexp.MustCompile(`0x[0-9a-f]+`)

func TestWhatCAnswersIsWhatGoAnswers(t *testing.T) {
	host := linked(t, "fastpath.c")
	run := func(fastpath string) string {
		r := chost.Run(t, []string{null, "MGPU_TEST_FASTPATH=" + fastpath}, host)
		clean(t, r)
		return addresses.ReplaceAllString(r.Stdout, "ADDRESS")
	}
	asGo := run("off")
	require.Contains(t, asGo, "reuse\t1 0\n")
	require.Contains(t, asGo, "open at once\t1\n")
	require.Contains(t, asGo, "shared\t1\n")
	require.Equal(t, asGo, run(""))
}
