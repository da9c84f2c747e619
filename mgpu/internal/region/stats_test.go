package region

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestRegionsOfOneKeyAreOneRow(t *testing.T) {
	rows := withRegion(nil, Stats{Key: 7, Nodes: 4, Launches: 2, Built: 1})
	rows = withRegion(rows, Stats{Key: 7, Nodes: 5, Launches: 3, CallByCall: 1, Built: 1})
	assert.Equal(t, []Stats{{7, 5, 5, 1, 2}}, rows)
}
