package trace

import (
	"cmp"
	"encoding/json"
	"os"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// event is an event of the trace event format.
type event struct {
	Phase    string         `json:"ph"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	At       json.Number    `json:"ts"`
	Took     json.Number    `json:"dur"`
	Name     string         `json:"name"`
	Category string         `json:"cat"`
	ID       int            `json:"id"`
	Binding  string         `json:"bp"`
	Args     map[string]any `json:"args"`
}

// track identifies a row.
type track struct{ process, thread int }

func (e *event) track() track { return track{e.Process, e.Thread} }

// ns reads a time of the format, which is in microseconds.
func ns(t *testing.T, n json.Number) int64 {
	t.Helper()
	if n == "" {
		return 0
	}
	us, rest, ok := strings.Cut(string(n), ".")
	require.True(t, ok && len(rest) == 3, n)
	all, err := strconv.ParseInt(us+rest, 10, 64)
	require.NoError(t, err)
	return all
}

// timeline is a file of the format.
type timeline struct {
	Events []event `json:"traceEvents"`
	Other  struct {
		Program, Driver string
		Lost            int
	} `json:"otherData"`
}

// read reads a timeline and checks the rules of the format: slices of a track nest; flows have both ends, in slices and
// in the order of time; tracks have names.
func read(t *testing.T, file string) *timeline {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var all timeline
	require.NoError(t, json.Unmarshal(text, &all))
	all.check(t)
	return &all
}

func (l *timeline) check(t *testing.T) {
	t.Helper()
	slices := map[track][]event{}
	named := map[track]bool{}
	for _, e := range l.Events {
		switch e.Phase {
		case "X":
			require.NotEmpty(t, e.Name)
			slices[e.track()] = append(slices[e.track()], e)
		case "M":
			named[e.track()] = true
		}
	}
	for k, of := range slices {
		require.True(t, named[k], "%v has no name", k)
		nest(t, of)
	}
	l.checkFlows(t, slices)
}

// nest requires that of two slices one is inside the other, or after it.
func nest(t *testing.T, of []event) {
	t.Helper()
	slices.SortStableFunc(of, func(a, b event) int {
		return cmp.Or(cmp.Compare(ns(t, a.At), ns(t, b.At)), cmp.Compare(ns(t, b.Took), ns(t, a.Took)))
	})
	var open []int64
	for _, e := range of {
		from, to := ns(t, e.At), ns(t, e.At)+ns(t, e.Took)
		for len(open) > 0 && open[len(open)-1] <= from {
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			require.LessOrEqual(t, to, open[len(open)-1], "%s %v sticks out of what is around it", e.Name, e.At)
		}
		open = append(open, to)
	}
}

// covered returns whether a moment is in one of the slices, which are sorted.
func covered(t *testing.T, of []event) func(int64) bool {
	t.Helper()
	var starts, ends []int64 // ends: the latest so far
	for _, e := range of {
		from := ns(t, e.At)
		end := from + ns(t, e.Took)
		if n := len(ends); n > 0 {
			end = max(end, ends[n-1])
		}
		starts, ends = append(starts, from), append(ends, end)
	}
	return func(at int64) bool {
		i := sort.Search(len(starts), func(i int) bool { return starts[i] > at }) - 1
		return i >= 0 && ends[i] >= at
	}
}

func (l *timeline) checkFlows(t *testing.T, of map[track][]event) {
	t.Helper()
	covers := map[track]func(int64) bool{}
	for k, all := range of {
		covers[k] = covered(t, all)
	}
	begun, ended := map[int]event{}, map[int]event{}
	for _, e := range l.Events {
		switch e.Phase {
		case "s":
			begun[e.ID] = e
		case "f":
			require.Equal(t, "e", e.Binding)
			ended[e.ID] = e
		default:
			continue
		}
		at := ns(t, e.At)
		require.Contains(t, covers, e.track())
		require.True(t, covers[e.track()](at), "a flow %q (%s) at %v lies in no slice", e.Name, e.Phase, e.At)
	}
	require.Len(t, ended, len(begun))
	for id, s := range begun {
		require.Contains(t, ended, id)
		require.LessOrEqual(t, ns(t, s.At), ns(t, ended[id].At), "flow %q goes back in time", s.Name)
	}
}

// count returns the number of slices with a name, or with a category that begins with a hash.
func (l *timeline) count(name string) (n int) {
	for _, e := range l.Events {
		if e.Phase == "X" && (e.Name == name || "#"+e.Category == name) {
			n++
		}
	}
	return n
}

// flows returns the number of flows with a name.
func (l *timeline) flows(name string) (n int) {
	for _, e := range l.Events {
		if e.Phase == "s" && e.Name == name {
			n++
		}
	}
	return n
}
