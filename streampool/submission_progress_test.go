package streampool

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

const progressEvent = driver.Event(0x900)

// tracked returns a stream whose submissions record its progress, and a function that counts the records.
func tracked(t *testing.T) (e *Entry, submit func() (records int)) {
	d, records := newMock(t), 0
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	d.EXPECT().EventRecord(progressEvent, driver.Stream(0x100)).Do(func(driver.Event, driver.Stream) { records++ }).AnyTimes()
	p := New(Config{Unchecked: true})
	s, _, err := p.Get(d, 0)
	require.NoError(t, err)
	e = p.Find(uintptr(s))
	require.False(t, e.Asked(), "it has no event yet")
	require.True(t, e.Track(progressEvent))
	return e, func() int {
		before := records
		require.NoError(t, Submit(d, e, nil, func() error { return nil }))
		return records - before
	}
}

func TestSubmissionsRecordTheProgressOfTheirStream(t *testing.T) {
	e, submit := tracked(t)
	require.False(t, e.Track(progressEvent+1), "it has an event")
	for range 3 {
		require.Equal(t, 1, submit())
		latest, _ := e.Latest()
		recorded, _ := e.Recorded(latest)
		require.True(t, recorded)
		count, event := e.Progress()
		require.Equal(t, latest, count)
		require.Equal(t, progressEvent, event)
	}
	other := e.Begin()
	require.Equal(t, 1, submit(), "the record comes after the submission")
	latest, _ := e.Latest()
	recorded, soon := e.Recorded(latest)
	require.False(t, recorded, "the driver may not have the other call's work yet")
	require.True(t, soon)
	e.End(other)
}

func TestACapturedStreamRecordsNothing(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	d.EXPECT().StreamCondition(driver.Stream(0x100)).Return(Captured)
	p := New(Config{Unchecked: true})
	s, _, err := p.Get(d, 0)
	require.NoError(t, err)
	e := p.Find(uintptr(s))
	require.True(t, e.Track(progressEvent))
	require.NoError(t, Submit(d, e, nil, func() error { return nil }))
	latest, _ := e.Latest()
	recorded, _ := e.Recorded(latest)
	require.False(t, recorded)
}

func TestSubmissionsStopRecordingUntilTheNextQuestion(t *testing.T) {
	e, submit := tracked(t)
	for range 2 {
		for n := range recordsPerQuestion {
			require.Equal(t, 1, submit(), "submission %d", n)
		}
		covered, _ := e.Latest()
		for range 10 {
			require.Zero(t, submit())
		}
		count, _ := e.Progress()
		require.Equal(t, covered, count, "the event is still after what it was recorded after")
		require.True(t, e.Asked())
	}
	for range 2 * recordsPerQuestion {
		require.Equal(t, 1, submit())
		require.True(t, e.Asked())
	}
}
