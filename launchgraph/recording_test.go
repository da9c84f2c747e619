package launchgraph

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// model states the order of work explicitly: for each stream, for each event and for the host, the set of nodes that
// precede whatever comes next.
type model struct {
	streams map[driver.Stream]map[int]bool
	events  map[driver.Event]map[int]bool
	host    map[int]bool
	before  []map[int]bool // by node
}

func union(sets ...map[int]bool) map[int]bool {
	all := map[int]bool{}
	for _, s := range sets {
		for i := range s {
			all[i] = true
		}
	}
	return all
}

func (m *model) add(s driver.Stream) {
	n := len(m.before)
	m.before = append(m.before, union(m.streams[s], m.host))
	m.streams[s] = union(m.before[n], map[int]bool{n: true})
}

// closure returns, for each node, all nodes that precede it by the recording's edges.
func closure(r *Recording) []map[int]bool {
	var before []map[int]bool
	for _, n := range r.nodes {
		own := map[int]bool{}
		for _, i := range elements(r.edges, n.after) {
			own = union(own, before[i], map[int]bool{int(i): true})
		}
		before = append(before, own)
	}
	return before
}

func TestEdgesAreTheOrderThatTheProgramMade(t *testing.T) {
	for seed := range uint64(300) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		var r Recording
		m := &model{streams: map[driver.Stream]map[int]bool{}, events: map[driver.Event]map[int]bool{}}
		replay := ""
		for range 60 {
			s, other, e := driver.Stream(1+rnd.IntN(4)), driver.Stream(1+rnd.IntN(4)), driver.Event(1+rnd.IntN(3))
			switch rnd.IntN(9) {
			case 0, 1, 2:
				replay += fmt.Sprintf("work %d; ", s)
				r.Fill(s, driver.Fill{Dst: 1, Size: 4, Count: 1})
				m.add(s)
			case 3:
				replay += fmt.Sprintf("synchronize %d; ", s)
				r.Synchronize(s)
				m.host = union(m.host, m.streams[s])
			case 4:
				replay += fmt.Sprintf("record %d on %d; ", e, s)
				r.Record(e, s)
				m.events[e] = m.streams[s]
			case 5:
				replay += fmt.Sprintf("%d waits for event %d; ", s, e)
				require.Equal(t, m.events[e] != nil || r.events[e] != nil, r.Wait(s, e))
				m.streams[s] = union(m.streams[s], m.events[e])
			case 6:
				replay += fmt.Sprintf("%d waits for %d; ", s, other)
				r.WaitFor(s, other)
				m.streams[s] = union(m.streams[s], m.streams[other])
			case 7:
				replay += fmt.Sprintf("synchronize event %d; ", e)
				r.SynchronizeEvent(e)
				m.host = union(m.host, m.events[e])
			case 8:
				replay += "free; "
				r.Free()
				for _, all := range m.streams {
					m.host = union(m.host, all)
				}
			}
		}
		require.Equal(t, m.before, closure(&r), "seed %d: %s", seed, replay)
	}
}
