package launchgraph

import (
	"errors"
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

func TestAKeptGraphHasOneNode(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	l := driver.Launch{Grid: driver.Dim3{X: 4, Y: 1, Z: 1}, Block: driver.Dim3{X: 64, Y: 1, Z: 1}}
	gomock.InOrder(
		d.EXPECT().GraphCreate().Return(driver.Graph(1), nil),
		d.EXPECT().GraphAddKernel(driver.Graph(1), nil, driver.Function(5), l).Return(driver.Node(2), nil),
		d.EXPECT().GraphInstantiate(driver.Graph(1)).Return(driver.GraphExec(3), nil),
		d.EXPECT().GraphExecDestroy(driver.GraphExec(3)),
		d.EXPECT().GraphDestroy(driver.Graph(1)),
	)
	k, err := NewOneNode(d, 5, l)
	require.NoError(t, err)
	require.Equal(t, OneNode{1, 3, 2}, k)
	require.NoError(t, k.Destroy(d))
}

func TestWhatCanNotBeKeptLeavesNothingBehind(t *testing.T) {
	boom := errors.New("boom")
	for failing := range 3 {
		d := NewMockDriver(gomock.NewController(t))
		fail := func(step int) error {
			if step == failing {
				return boom
			}
			return nil
		}
		d.EXPECT().GraphCreate().Return(driver.Graph(1), fail(0))
		if failing > 0 {
			d.EXPECT().GraphAddKernel(gomock.Any(), gomock.Any(), gomock.Any(), gomock.Any()).Return(driver.Node(2), fail(1))
			d.EXPECT().GraphDestroy(driver.Graph(1))
		}
		if failing > 1 {
			d.EXPECT().GraphInstantiate(driver.Graph(1)).Return(driver.GraphExec(3), fail(2))
		}
		_, err := NewOneNode(d, 5, driver.Launch{})
		require.ErrorIs(t, err, boom)
	}
}
