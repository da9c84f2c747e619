package check

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestClocksKnowWhatTheyLearnt(t *testing.T) {
	var none *clock
	assert.False(t, none.knows(1, 0))
	var a, b clock
	a.learn(1, 10)
	assert.True(t, a.knows(1, 9))
	assert.False(t, a.knows(1, 10), "up to a time is not that time")
	assert.False(t, a.knows(2, 0))
	a.learn(1, 5)
	assert.True(t, a.knows(1, 9), "what is known stays known")
	b.learn(2, 7)
	b.join(&a)
	b.join(nil)
	assert.True(t, b.knows(1, 9))
	assert.True(t, b.knows(2, 6))
	assert.False(t, a.knows(2, 6))
}

// TestLongClocksForgetNoOrder compares with a clock of any length.
func TestLongClocksForgetNoOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 1))
	var c clock
	all := map[uint32]uint32{}
	for range 5000 {
		group, time := r.Uint32N(1000), r.Uint32N(100000)
		c.learn(group, time)
		all[group] = max(all[group], time)
		assert.LessOrEqual(t, len(c.at), longestClock)
	}
	for group, time := range all {
		assert.True(t, c.knows(group, time-1))
	}
	before := c.floor
	var d clock
	d.join(&c)
	assert.Equal(t, before, d.floor)
}
