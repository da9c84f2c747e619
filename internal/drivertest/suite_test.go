package drivertest

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestExpectedFailureThatPassesIsAFailure(t *testing.T) {
	e := expectations{failing: map[string]string{"a/b": "known bug 7"}}
	skip, failures := e.judge("a/b", nil)
	require.Empty(t, skip)
	require.Equal(t, []string{"passes, but is expected to fail: known bug 7"}, failures)
	skip, failures = e.judge("a/b", []string{"x.go:1: wrong"})
	require.Equal(t, "expected failure (known bug 7): x.go:1: wrong", skip)
	require.Empty(t, failures)
	skip, failures = e.judge("a/c", []string{"wrong"})
	require.Empty(t, skip)
	require.Equal(t, []string{"wrong"}, failures)
}

func TestUnsupportedNamesATestOrAGroup(t *testing.T) {
	e := expectations{unsupported: map[string]string{"garbage": "not validated", "memory/fills count elements": "no fills"}}
	_, ok := e.unsupportedReason("garbage/pointers")
	require.True(t, ok)
	_, ok = e.unsupportedReason("memory/fills count elements")
	require.True(t, ok)
	_, ok = e.unsupportedReason("memory/blocks do not overlap")
	require.False(t, ok)
}

func TestStoppedTestCleansUpAndNamesItsLine(t *testing.T) {
	cleaned := 0
	failures := runOne(null.Open(null.Options{}), nil, conformance{run: func(x *exam) {
		x.after(func() { cleaned++ })
		x.want(false, "one")
		x.ok(errors.New("broken"), "StreamCreate")
		t.Error("goes on after a failed call")
	}})
	require.Equal(t, 1, cleaned)
	require.Len(t, failures, 2)
	require.Regexp(t, `^suite_test.go:\d+: not so: one$`, failures[0])
	require.Regexp(t, `^suite_test.go:\d+: StreamCreate: broken$`, failures[1])
}

func TestFailsWantsADriverErrorOfTheCode(t *testing.T) {
	good := &driver.Error{Call: "c", Name: "n", Code: driver.NotFound}
	for _, c := range []struct {
		err  error
		want int
	}{
		{nil, 1}, {errors.New("plain"), 1}, {driver.NotFound, 1}, {good, 0},
		{&driver.Error{Call: "c", Name: "n", Code: driver.InvalidValue}, 1}, {&driver.Error{Code: driver.NotFound}, 1},
	} {
		x := &exam{}
		x.fails(c.err, "call", driver.NotFound)
		require.Len(t, x.failures, c.want, "%v", c.err)
	}
}

// A driver that does nothing passes no test that looks at a result.
func TestTheSuiteSeesADriverThatDoesNothing(t *testing.T) {
	d := null.Open(null.Options{})
	images := images{kernels: make([]byte, 64), other: make([]byte, 64), wrong: make([]byte, 64)}
	blind := map[string]bool{ // what such a driver can't get wrong
		"launch/an empty kernel runs a thousand times": true, "module/loads, resolves and unloads": true,
		"module/threads load and unload at once": true, "module/truncated images never crash": true,
		"memory/zero bytes are a null pointer": true, "launch/a cluster of one workgroup is nothing else": true,
	}
	for _, group := range [][]conformance{launchTests, moduleTests, garbageTests, faultTests} {
		for _, c := range group {
			if !blind[c.name] {
				require.NotEmpty(t, runOne(d, images, c), c.name)
			}
		}
	}
}

func TestNamesAreDistinct(t *testing.T) {
	seen := map[string]bool{}
	for _, group := range groups {
		for _, c := range group {
			require.False(t, seen[c.name], c.name)
			seen[c.name] = true
		}
	}
}
