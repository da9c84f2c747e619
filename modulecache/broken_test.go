package modulecache

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A panic in the driver is caught above the cache. The content must not be left
// half loaded: the next load of it would wait for ever.
func TestLoadThatPanicsLeavesNothingBehind(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	c := New(testConfig())
	mem := region(t, 4096)
	copy(mem, image(1, "x"))
	loading, waiting := make(chan struct{}), make(chan struct{})
	gomock.InOrder(
		d.EXPECT().ModuleLoad(gomock.Any()).DoAndReturn(func([]byte) (driver.Module, error) {
			close(loading)
			<-waiting
			panic("broken driver")
		}),
		d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil),
	)
	second := make(chan error)
	go func() {
		<-loading
		go close(waiting)
		_, _, err := c.Load(d, 0, addressOf(mem), 7)
		second <- err
	}()
	require.PanicsWithValue(t, "broken driver", func() { _, _, _ = c.Load(d, 0, addressOf(mem), 7) })
	if err := <-second; err != nil {
		require.ErrorIs(t, err, driver.InvalidImage)
		require.Zero(t, c.Stats().Bytes)
		load(t, c, d, 0, addressOf(mem), Miss)
	}
	require.Equal(t, 1, c.Stats().Modules)
}

func TestEachLoadHasItsOwnReport(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	c := New(testConfig())
	mem := region(t, 4096)
	copy(mem, image(1, "x"))
	d.EXPECT().ModuleLoad(gomock.Any()).Return(driver.Module(0x10), nil).Times(1)
	want := Miss
	for range 3 {
		m := load(t, c, d, 0, addressOf(mem), want)
		want = HitVerified
		unload(t, c, d, m, Kept)
		_, err := c.Unload(d, m)
		require.ErrorContains(t, err, "unloaded before")
		_, err = c.Unload(d, m)
		require.NoError(t, err)
	}
}
