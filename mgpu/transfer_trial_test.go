package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestADuelIsWonByASixteenthAndFoughtAgain(t *testing.T) {
	for name, c := range map[string]struct {
		first, second int64 // nanoseconds from one copy to the next
		won           bool
	}{
		"much faster":     {20000, 14000, true},
		"a little faster": {40000, 38000, false},
		"slower":          {20000, 30000, false},
		"of little":       {8000, 6100, false},
		"a sixteenth":     {80000, 75000, false},
		"more":            {80000, 74999, true},
	} {
		t.Run(name, func(t *testing.T) {
			var d trial
			at := int64(1)
			clock := func() int64 { return at }
			made := func(copies int, took [2]int64) {
				by := [2]int{}
				for i := range copies {
					second := d.stagesNext(clock)
					ns, which := took[0], 0
					if second {
						ns, which = took[1], 1
					}
					by[which]++
					if i%runCopies < untimedCopies || i%3 == 0 { // late copies
						ns *= 10
					}
					at += ns
				}
				require.Equal(t, [2]int{copies / 2, copies / 2}, by)
			}
			rest := func(copies int, won bool) {
				for range copies {
					require.Equal(t, won, d.stagesNext(clock))
				}
			}
			back := c.first < c.second-max(c.second/16, minGainNS)
			made(trialCopies, [2]int64{c.first, c.second})
			rest(secondTrial-trialCopies, c.won)
			made(trialCopies, [2]int64{c.second, c.first})
			rest(trialInterval-trialCopies, back)
			made(trialCopies, [2]int64{c.first, c.second})
			rest(trialInterval-trialCopies, c.won)
		})
	}
}
