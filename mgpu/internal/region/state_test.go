package region

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestARecorderMovesByItsTableOnly(t *testing.T) {
	for from := idle; from <= left; from++ {
		for to := idle; to <= left; to++ {
			rec := &recorder{state: from}
			if slices.ContainsFunc(transitions, func(t transition) bool { return t.from == from && t.to == to }) {
				rec.move(to)
				require.Equal(t, to, rec.state)
				continue
			}
			require.Panics(t, func() { rec.move(to) }, "from %d to %d", from, to)
		}
	}
}

func TestARecordingThatEndsAmidAWaitIsLeftToTheWaitingThread(t *testing.T) {
	rec := &recorder{state: waiting}
	rec.over()
	require.Equal(t, left, rec.state)
	require.False(t, rec.recording())
}
