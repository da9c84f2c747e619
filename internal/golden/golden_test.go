package golden

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestADiffShowsWhatChangedAndALittleMore(t *testing.T) {
	many := strings.Repeat("same\n", 50)
	assert.Empty(t, Diff(many, many))
	assert.Equal(t, "    ...\n      same\n      same\n    - old\n    + new\n      same\n      same\n", Diff(many+"old\n"+many, many+"new\n"+many)[:len("    ...\n      same\n      same\n    - old\n    + new\n      same\n      same\n")])
	assert.Equal(t, "      a\n    + b\n      c\n      d\n    - e\n      f\n", Diff("a\nc\nd\ne\nf", "a\nb\nc\nd\nf"))
}

func TestALargeDiffIsCut(t *testing.T) {
	diff := Diff(strings.Repeat("old\n", 5000), strings.Repeat("new\n", 5000))
	assert.Equal(t, mostLines+1, strings.Count(diff, "\n"))
	assert.True(t, strings.HasSuffix(diff, "... and more\n"))
}
