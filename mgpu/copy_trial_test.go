package mgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestADuelIsWonByAnEighthAndFoughtAgain(t *testing.T) {
	for name, c := range map[string]struct {
		first, second int64
		won           bool
	}{
		"much faster":     {20000, 14000, true},
		"a little faster": {20000, 18000, false},
		"slower":          {20000, 30000, false},
		"of little":       {8000, 6100, false},
		"an eighth":       {80000, 70000, false},
		"more":            {80000, 69999, true},
	} {
		t.Run(name, func(t *testing.T) {
			var d duel
			fight := func(first, second int64) {
				for i := range trialsAll {
					is2nd, timed := d.next()
					require.True(t, timed)
					require.Equal(t, i >= trialsEach, is2nd)
					took := first
					if is2nd {
						took = second
					}
					if i%trialsEach < unsettled || i%trialsEach > trialsEach-3 {
						took *= 10
					}
					d.took(is2nd, took)
				}
			}
			fight(c.first, c.second)
			for range retrial - trialsAll {
				second, timed := d.next()
				require.False(t, timed)
				require.Equal(t, c.won, second)
			}
			fight(c.second, c.first)
			second, timed := d.next()
			require.False(t, timed)
			require.Equal(t, c.first < c.second-max(c.second/8, worthIt), second)
		})
	}
}

func TestALostDuelIsFoughtAgain(t *testing.T) {
	var x trial
	none := func() bool { return false }
	looked := 0
	for range 10 * retrial {
		if !x.lost(false) {
			looked++
			_, second, timed := x.next(none)
			if timed != nil {
				timed.took(second, 1000)
			}
		}
	}
	assert.Equal(t, 10*(trialsAll+1), looked)
}
