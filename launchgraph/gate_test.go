package launchgraph

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func repeated(ns uint64, n int) []uint64 { return slices.Repeat([]uint64{ns}, n) }

func TestGraphsHaveToWinClearly(t *testing.T) {
	for what, c := range map[string]struct {
		plain, graph Costs
		wins         bool
		reason       string
	}{
		"half the cost":                 {Costs{repeated(4000, 48), nil}, Costs{repeated(2000, 48), nil}, true, ""},
		"a little less":                 {Costs{repeated(4000, 48), nil}, Costs{repeated(3800, 48), nil}, false, "they cost too much"},
		"more":                          {Costs{repeated(4000, 48), nil}, Costs{repeated(15000, 48), nil}, false, "they cost too much"},
		"less, and as late":             {Costs{repeated(4000, 48), repeated(9000, 48)}, Costs{repeated(2000, 48), repeated(9000, 48)}, true, ""},
		"less, but later":               {Costs{repeated(4000, 48), repeated(9000, 48)}, Costs{repeated(2000, 48), repeated(9500, 48)}, false, "waits for them take longer"},
		"less, few waits":               {Costs{repeated(4000, 48), repeated(9000, 3)}, Costs{repeated(2000, 48), repeated(9500, 3)}, true, ""},
		"outliers don't decide":         {Costs{append(repeated(4000, 40), repeated(1, 8)...), nil}, Costs{append(repeated(2000, 40), repeated(1e9, 8)...), nil}, true, ""},
		"nothing measured of the graph": {Costs{repeated(4000, 48), nil}, Costs{}, true, ""},
	} {
		var g Gate
		assert.Equal(t, c.wins, g.Judge(3, c.plain, c.graph), what)
		v := g.Verdicts()
		require.Len(t, v, 1)
		assert.Equal(t, c.reason, v[0].Reason, what)
		assert.Equal(t, 3, v[0].Device)
	}
}

func TestARetreatIsForGood(t *testing.T) {
	var g Gate
	fast, slow := Costs{Issue: repeated(1000, 48)}, Costs{Issue: repeated(5000, 48)}
	require.True(t, g.Judge(0, slow, fast))
	require.True(t, g.Judge(1, slow, fast))
	g.Retreat(0, "'cuGraphLaunch' failed with 'CUDA_ERROR_UNKNOWN'")
	require.False(t, g.Judge(0, slow, fast))
	require.True(t, g.Judge(1, slow, fast), "other devices go on")
	require.False(t, g.Verdicts()[0].Graph)
}

func TestVerdictsAreTold(t *testing.T) {
	var g Gate
	g.Judge(0, Costs{repeated(4440, 48), repeated(11790, 48)}, Costs{repeated(2940, 48), repeated(9920, 48)})
	g.Judge(1, Costs{Issue: repeated(2000, 48)}, Costs{Issue: repeated(3000, 48)})
	g.Retreat(2, "'hipGraphInstantiate' failed")
	var text []string
	for _, v := range g.Verdicts() {
		text = append(text, v.String())
	}
	require.Equal(t, []string{
		"launches on device 0: graph (plain 4.44 us, graph 2.94 us; with a wait 11.79 us, 9.92 us)",
		"launches on device 1: plain: they cost too much (plain 2.00 us, graph 3.00 us)",
		"launches on device 2: plain: 'hipGraphInstantiate' failed (not measured)",
	}, text)
}
