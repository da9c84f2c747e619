package launchgraph

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// inParts makes a graph of 30 fills: parts of 16 and 14 nodes, with the handles 100 and 200.
func inParts(t *testing.T, d *MockDriver) *Graph {
	expectBuild(d, 16, 100)
	expectBuild(d, 14, 200)
	g := &Graph{Parts: true}
	_, _, err := g.Become(d, driver.GraphTraits{}, filled(30, 1), never)
	require.NoError(t, err)
	return g
}

// launch launches the graph as package mgpu does.
func launch(t *testing.T, g *Graph, d Driver, traits driver.GraphTraits, idle func() error) {
	if g.WholeDue() {
		g.MakeWhole(d, traits, idle)
	}
	ok, err := g.Launch(d, 1, 0)
	require.True(t, ok)
	require.NoError(t, err)
}

func expectParts(d *MockDriver, times int) []*gomock.Call {
	return []*gomock.Call{
		d.EXPECT().GraphLaunch(driver.GraphExec(100), driver.Stream(1)).Times(times),
		d.EXPECT().GraphLaunch(driver.GraphExec(200), driver.Stream(1)).Times(times),
	}
}

func TestAGraphThatIsLaunchedAgainAndAgainBecomesWhole(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	g := inParts(t, d)
	expectParts(d, launchesInParts)
	for range launchesInParts {
		launch(t, g, d, driver.GraphTraits{}, never)
	}
	whole := expectBuild(d, 30, 300)
	gomock.InOrder(append(whole, d.EXPECT().GraphLaunch(driver.GraphExec(300), driver.Stream(1)).Times(3))...)
	for range 3 {
		launch(t, g, d, driver.GraphTraits{}, never)
	}

	d.EXPECT().GraphSetFill(driver.GraphExec(200), driver.Node(214), gomock.Any())
	_, o, err := g.Become(d, driver.GraphTraits{}, filled(30, 2), never)
	require.NoError(t, err)
	require.Equal(t, Updated, o)
	expectParts(d, launchesInParts)
	for range launchesInParts {
		launch(t, g, d, driver.GraphTraits{}, never)
	}
	waits := 0
	idle := func() error { waits++; return nil }
	again := append(expectDestroy(d, 300), expectBuild(d, 30, 400)...)
	gomock.InOrder(append(again, d.EXPECT().GraphLaunch(driver.GraphExec(400), driver.Stream(1)))...)
	launch(t, g, d, driver.GraphTraits{Pinned: true}, idle)
	require.Equal(t, 1, waits, "before the old one is destroyed")

	for _, first := range []int{100, 200, 400} {
		expectDestroy(d, first)
	}
	require.NoError(t, g.Destroy(d, driver.GraphTraits{}, never))
}

func TestAGraphThatTheDriverMakesInPartsOnlyStaysInParts(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	g := inParts(t, d)
	expectParts(d, launchesInParts+3)
	d.EXPECT().GraphCreate().Return(driver.Graph(0), errBoom)
	for range launchesInParts + 3 {
		launch(t, g, d, driver.GraphTraits{}, never)
	}
}
