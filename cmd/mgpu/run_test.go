package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheLibraryComesBeforeOthersThatArePreloaded(t *testing.T) {
	o := runOptions{driver: "soft", stats: true}
	env := o.environment([]string{"A=1", "LD_PRELOAD=libother.so", "B=2"}, "/lib/ours.so")
	assert.ElementsMatch(t, []string{"A=1", "B=2", "LD_PRELOAD=/lib/ours.so:libother.so", "MGPU_DRIVER=soft", "MGPU_STATS=1"}, env)
}

func TestFlagsBecomeSettings(t *testing.T) {
	o := runOptions{trace: "t.json", exitCode: 7}
	env := o.environment([]string{"MGPU_ON_ERROR=abort"}, "/lib/ours.so")
	assert.ElementsMatch(t, []string{"LD_PRELOAD=/lib/ours.so", "MGPU_TRACE=t.json", "MGPU_ON_ERROR=exit:7"}, env)
}

// getenv finds the first of two.
func TestFlagsComeBeforeTheEnvironment(t *testing.T) {
	o := runOptions{driver: "null", noCache: true}
	env := o.environment([]string{"MGPU_DRIVER=soft", "MGPU_CACHE=on", "MGPU_STATS=1"}, "/lib/ours.so")
	assert.ElementsMatch(t, []string{"LD_PRELOAD=/lib/ours.so", "MGPU_DRIVER=null", "MGPU_CACHE=off", "MGPU_STATS=1"}, env)
}

func TestAMissingLibraryIsNamed(t *testing.T) {
	dir := t.TempDir()
	o := runOptions{library: filepath.Join(dir, "nowhere.so")}
	_, err := o.find(libraryName)
	require.ErrorContains(t, err, "nowhere.so")

	o.library = filepath.Join(dir, libraryName)
	require.NoError(t, os.WriteFile(o.library, nil, 0o644))
	found, err := o.find(libraryName)
	require.NoError(t, err)
	assert.Equal(t, o.library, found)
}
