package model

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// check tries all orders of a model's steps, and returns what spin says.
func check(t *testing.T, model string, defines ...string) string {
	source, err := filepath.Abs(model)
	require.NoError(t, err)
	folder := t.TempDir()
	for _, command := range [][]string{
		append(append([]string{"spin", "-a"}, defines...), source),
		{"cc", "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-o", "pan", "pan.c"},
		{"./pan", "-m100000", "-w22", "-n"},
	} {
		c := exec.Command(command[0], command[1:]...)
		c.Dir = folder
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s: %s", command[0], out)
		if command[0] == "./pan" {
			return string(out)
		}
	}
	return ""
}

var states = regexp.MustCompile(`(\d+) states, stored`)

var models = []struct {
	name    string
	defines []string
	faults  int
	long    bool
}{
	{name: "submissions.pml", faults: 3},
	{name: "submissions.pml", defines: []string{"-DCOPIES=1"}, faults: 5, long: true},
	{name: "submissions.pml", defines: []string{"-DOPERATIONS=4"}, long: true},
	{name: "follow.pml", faults: 5},
	{name: "follow.pml", defines: []string{"-DOPERATIONS=6"}, long: true},
	{name: "destroyed.pml", faults: 5},
	{name: "progress.pml", faults: 3},
	{name: "progress.pml", defines: []string{"-DSUBMISSIONS=3"}, long: true},
	{name: "relaunch.pml", faults: 4},
	{name: "relaunch.pml", defines: []string{"-DTURNS=3"}, long: true},
}

func TestEveryOrderOfStepsKeepsTheProtocol(t *testing.T) {
	for _, m := range models {
		if m.long && os.Getenv("MGPU_TEST_LONG") == "" {
			continue
		}
		out := check(t, m.name, m.defines...)
		require.Contains(t, out, "errors: 0", "%s %s", m.name, m.defines)
		require.NotContains(t, out, "search depth too small")
		t.Log(m.name, m.defines, states.FindStringSubmatch(out)[1], "states")
	}
}

func TestEachRuleIsNeeded(t *testing.T) {
	for _, m := range models {
		for fault := 1; fault <= m.faults; fault++ {
			if m.long && fault != 4 && os.Getenv("MGPU_TEST_LONG") == "" {
				continue // found without it
			}
			out := check(t, m.name, append(m.defines, fmt.Sprintf("-DFAULT=%d", fault))...)
			require.Equal(t, 1, strings.Count(out, "assertion violated "), "%s with fault %d: %s", m.name, fault, out)
		}
	}
}
