package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestLongLinesAreWrapped(t *testing.T) {
	var out bytes.Buffer
	words := strings.Repeat("word ", 50)
	_, err := wrapped{&out}.Write([]byte("short\n  " + words + "\n  " + strings.Repeat("x", 150) + " y\n"))
	require.NoError(t, err)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	assert.Equal(t, "short", lines[0])
	assert.Equal(t, "  "+strings.TrimSpace(strings.Repeat("word ", 19)), lines[1])
	assert.Equal(t, "      "+strings.TrimSpace(strings.Repeat("word ", 19)), lines[2])
	assert.Equal(t, "      "+strings.Repeat("word ", 12), lines[3])
	assert.Equal(t, strings.Fields(words), strings.Fields(strings.Join(lines[1:4], " ")), "nothing is lost")
	assert.Equal(t, []string{"  " + strings.Repeat("x", 150), "      y"}, lines[4:], "a word is not cut")
}

func TestTheDoctorFitsATerminal(t *testing.T) {
	out := command(t, nil, nil, "doctor", "--all")
	_, settings, found := strings.Cut(out.stdout, "\nsettings\n")
	require.True(t, found, "%s", out.stdout)
	for line := range strings.Lines(settings) {
		if words := strings.Fields(line); len(words) > 1 {
			assert.LessOrEqual(t, len(strings.TrimRight(line, "\n")), columns, line)
		}
	}
	assert.Contains(t, out.stdout, "MGPU_SOFT_SCHEDULE (default: ")
}

func TestTheVersionIsAFlagToo(t *testing.T) {
	out := command(t, nil, nil, "--version")
	assert.Equal(t, ended{ownVersion() + "\n", "", 0}, out)
}
