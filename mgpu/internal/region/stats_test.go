package region

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRegionsOfOneKeyAreOneRow(t *testing.T) {
	rows := withRegion(nil, Stats{Key: 7, Nodes: 4, Launches: 2, Built: 1}, 1)
	rows = withRegion(rows, Stats{Key: 7, Nodes: 5, Launches: 3, CallByCall: 1, Built: 1}, 1)
	assert.Equal(t, []Stats{{7, 5, 5, 1, 2}}, rows)
}

func TestEveryRegionThatExistsHasARow(t *testing.T) {
	r := New(nil)
	for key := range uint64(maxDestroyed + 10) {
		r.destroyed = withRegion(r.destroyed, Stats{Key: key}, maxDestroyed)
		r.lookup(1000+key, true)
	}
	rows := r.Stats()
	assert.Len(t, rows, maxDestroyed+maxDestroyed+10)
	assert.EqualValues(t, maxDestroyed-1, rows[maxDestroyed-1].Key)
	assert.EqualValues(t, 1000+maxDestroyed+9, rows[len(rows)-1].Key)
}
