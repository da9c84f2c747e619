package launchgraph

import (
	"errors"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

var errBoom = errors.New("boom")

func never() error { panic("no wait was needed") }

// filled is a recording of n fills on one stream, the last with a value.
func filled(n int, value uint32) *Recording {
	r := &Recording{}
	for i := range n {
		f := driver.Fill{Dst: driver.Ptr(0x1000 * (i + 1)), Size: 4, Count: 8}
		if i == n-1 {
			f.Value = value
		}
		r.Fill(1, f)
	}
	return r
}

// expectBuild expects that a graph of n fills is made, with handles from first on.
func expectBuild(d *MockDriver, n, first int) []*gomock.Call {
	calls := []*gomock.Call{d.EXPECT().GraphCreate().Return(driver.Graph(first), nil)}
	for i := range n {
		var after any = gomock.Len(0)
		if i > 0 {
			after = []driver.Node{driver.Node(first + i)}
		}
		calls = append(calls, d.EXPECT().GraphAddFill(driver.Graph(first), after, gomock.Any()).Return(driver.Node(first+i+1), nil))
	}
	return append(calls, d.EXPECT().GraphInstantiate(driver.Graph(first)).Return(driver.GraphExec(first), nil))
}

func expectDestroy(d *MockDriver, first int) []*gomock.Call {
	return []*gomock.Call{d.EXPECT().GraphExecDestroy(driver.GraphExec(first)), d.EXPECT().GraphDestroy(driver.Graph(first))}
}

func TestAGraphIsChangedInPlaceWhereItsShapeIsTheSame(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	var g Graph
	changed := filled(3, 9).nodes[2].fill
	calls := append(expectBuild(d, 3, 100), d.EXPECT().GraphSetFill(driver.GraphExec(100), driver.Node(103), changed))
	gomock.InOrder(calls...)
	first := filled(3, 7)
	_, o, err := g.Become(d, driver.GraphTraits{}, first, never)
	require.NoError(t, err)
	require.Equal(t, Replaced, o)
	second := filled(3, 7)
	unused, o, err := g.Become(d, driver.GraphTraits{}, second, never)
	require.NoError(t, err)
	require.Equal(t, Same, o)
	require.Same(t, first, unused)
	unused, o, err = g.Become(d, driver.GraphTraits{}, filled(3, 9), never)
	require.NoError(t, err)
	require.Equal(t, Updated, o)
	require.Same(t, second, unused)
}

func TestAnotherShapeIsAnotherGraph(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	var g Graph
	gomock.InOrder(append(append(expectBuild(d, 2, 100), expectDestroy(d, 100)...), expectBuild(d, 3, 200)...)...)
	_, _, err := g.Become(d, driver.GraphTraits{}, filled(2, 1), never)
	require.NoError(t, err)
	_, o, err := g.Become(d, driver.GraphTraits{}, filled(3, 1), never)
	require.NoError(t, err)
	require.Equal(t, Replaced, o)
}

func TestADriversLimitsAreKept(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	var g Graph
	waits := 0
	idle := func() error { waits++; return nil }
	set := d.EXPECT().GraphSetFill(driver.GraphExec(100), driver.Node(101), gomock.Any()).Times(2)
	gomock.InOrder(append(append(append(expectBuild(d, 1, 100), set), expectDestroy(d, 100)...), expectBuild(d, 1, 200)...)...)
	traits := driver.GraphTraits{Updates: 2, Pinned: true}
	for value := range uint32(4) {
		_, _, err := g.Become(d, traits, filled(1, value), idle)
		require.NoError(t, err)
	}
	require.Equal(t, 4, waits, "before each of three changes, and before the exec is destroyed")
}

func TestADriversChainedGraphHasNoBranches(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	var g Graph
	rec := filled(1, 1)
	rec.Fill(2, driver.Fill{Dst: 0x9000, Size: 4, Count: 8}) // on another stream
	gomock.InOrder(expectBuild(d, 2, 100)...)
	_, _, err := g.Become(d, driver.GraphTraits{Chained: true}, rec, never)
	require.NoError(t, err)
}

func TestANodeThatCanNotBeChangedMakesAnotherGraph(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	var g Graph
	set := d.EXPECT().GraphSetFill(gomock.Any(), gomock.Any(), gomock.Any()).Return(errBoom)
	gomock.InOrder(append(append(append(expectBuild(d, 1, 100), set), expectDestroy(d, 100)...), expectBuild(d, 1, 200)...)...)
	_, _, err := g.Become(d, driver.GraphTraits{}, filled(1, 1), never)
	require.NoError(t, err)
	_, o, err := g.Become(d, driver.GraphTraits{}, filled(1, 2), never)
	require.NoError(t, err)
	require.Equal(t, Replaced, o)
}

func TestAGraphThatCanNotBeMadeLeavesNothingBehind(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	var g Graph
	gomock.InOrder(
		d.EXPECT().GraphCreate().Return(driver.Graph(1), nil),
		d.EXPECT().GraphAddFill(driver.Graph(1), gomock.Any(), gomock.Any()).Return(driver.Node(2), nil),
		d.EXPECT().GraphAddFill(driver.Graph(1), gomock.Any(), gomock.Any()).Return(driver.Node(0), errBoom),
		d.EXPECT().GraphDestroy(driver.Graph(1)),
	)
	rec := filled(2, 1)
	unused, _, err := g.Become(d, driver.GraphTraits{}, rec, never)
	require.ErrorIs(t, err, errBoom)
	require.Same(t, rec, unused, "its caller executes it")
	require.Nil(t, g.Recording())
}
