package streampool

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// A handle that is checked out again is another stream to the program: what it
// does wrong with that one is worth a line of its own.
func TestEachCheckOutHasItsOwnReport(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil).Times(1)
	p := New(Config{})
	want := Created
	for range 3 {
		s := get(t, p, d, 0, want)
		want = Reused
		require.NoError(t, p.Misuse(nil, "mgpuLaunchKernel"))
		putSynchronized(t, p, d, s, Pooled)
		_, err := p.Put(d, s)
		require.ErrorContains(t, err, "destroyed before")
		_, err = p.Put(d, s)
		require.NoError(t, err)
	}
}
