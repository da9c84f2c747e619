package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHelpFitsATerminalAndShowsFlagsAsTheyAreTyped(t *testing.T) {
	var out bytes.Buffer
	root := rootCommand()
	root.SetOut(&out)
	var help func(c *cobra.Command)
	help = func(c *cobra.Command) {
		require.NoError(t, c.Help())
		for _, sub := range pagesBelow(c) {
			help(sub)
		}
	}
	help(root)
	for _, line := range strings.Split(out.String(), "\n") {
		assert.LessOrEqual(t, len(line), columns, line)
	}
	for _, flag := range []string{"\n      --stats[=FILE] ", "\n  -e, --env NAME=VALUE ", "\n      --rocm  ", " (default 1)\n"} {
		assert.Contains(t, out.String(), flag)
	}
	assert.NotContains(t, out.String(), "FlagUsages")
}
