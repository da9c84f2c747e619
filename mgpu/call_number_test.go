package mgpu

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// counting is a driver that asks for the numbers of calls.
type counting struct {
	*MockDriver
	*MockCallCounter
}

func TestADriverCanAskForTheNumberOfTheCall(t *testing.T) {
	control := gomock.NewController(t)
	d := counting{NewMockDriver(control), NewMockCallCounter(control)}
	d.MockDriver.EXPECT().Name().Return("mock").AnyTimes()
	d.MockDriver.EXPECT().DeviceCount().Return(1).AnyTimes()
	d.MockDriver.EXPECT().DeviceName(gomock.Any()).Return("mocked GPU").AnyTimes()
	var number func() uint64
	d.MockCallCounter.EXPECT().CountCalls(gomock.Any()).Do(func(f func() uint64) { number = f })
	h := over(d, Config{NoCache: true})

	var seen []uint64
	note := func(uint64) (driver.Ptr, error) {
		require.NotNil(t, number, "before the first call reaches the driver")
		seen = append(seen, number())
		return 0x1000, nil
	}
	d.MockDriver.EXPECT().MemAlloc(gomock.Any()).DoAndReturn(note).Times(3)
	d.MockDriver.EXPECT().StreamCreate().Return(driver.Stream(7), nil)
	h.MemAlloc(16, 0, false)
	h.MemAlloc(16, 0, false)
	h.StreamCreate()
	h.MemAlloc(16, 0, false)
	assert.Equal(t, []uint64{1, 2, 4}, seen)
	h.requireSilence(t)
}
