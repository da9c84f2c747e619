package check

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/mgpu-runtime/mgpu/softgpu/internal/wave"
)

func never(*access) bool  { return false }
func always(*access) bool { return true }

func at(group uint32, h how) *access { return &access{group: group, mask: 15, how: h} }

func TestWhichAccessesConflict(t *testing.T) {
	const r, w, u = wave.Reads, wave.Writes, wave.Updates
	for _, c := range []struct {
		first     wave.Operation
		firstHow  how
		second    wave.Operation
		secondHow how
		races     bool
	}{
		{r, plain, r, plain, false},
		{w, plain, r, plain, true},
		{w, plain, w, plain, true},
		{r, plain, w, plain, true},
		{u, synced, u, synced, false},
		{u, synced, r, plain, false},
		{u, synced, w, plain, true},
		{w, plain, u, synced, true},
		{r, plain, u, synced, false},
		{w, release, u, synced, false},
		{u, synced, w, release, false},
		{w, plain, r, synced, false},
		{w, release, r, synced, false},
		{r, synced, w, plain, false},
		{w, release, w, release, true},
		{w, release, r, plain, true},
	} {
		var m word
		m.remember(c.first, at(1, c.firstHow), never)
		before, _ := m.conflict(c.second, at(2, c.secondHow), never)
		assert.Equal(t, c.races, before != nil, "%+v", c)
		before, _ = m.conflict(c.second, at(2, c.secondHow), always)
		assert.Nil(t, before, "ordered: %+v", c)
		second := at(2, c.secondHow)
		second.mask = 0
		before, _ = m.conflict(c.second, second, never)
		assert.Nil(t, before, "other bytes: %+v", c)
	}
}

func TestAWriterFindsAReaderThatIsNotItself(t *testing.T) {
	mine := func(p *access) bool { return p.group == 2 }
	for _, order := range [][]uint32{{1, 2}, {2, 1}, {2, 1, 2, 2}, {1, 2, 2}} {
		var m word
		for _, group := range order {
			m.remember(wave.Reads, at(group, plain), func(p *access) bool { return p.group == group })
		}
		before, wrote := m.conflict(wave.Writes, at(2, plain), mine)
		if assert.NotNil(t, before, "%v", order) {
			assert.Equal(t, uint32(1), before.group)
			assert.False(t, wrote)
		}
	}
}
