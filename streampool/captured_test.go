package streampool

import (
	"testing"

	"github.com/golang/mock/gomock"
	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// found is a driver whose streams are in the conditions that tests say.
func found(t *testing.T, conditions ...Condition) *MockDriver {
	d := NewMockDriver(gomock.NewController(t))
	var calls []*gomock.Call
	for _, c := range conditions {
		calls = append(calls, d.EXPECT().StreamCondition(driver.Stream(0x100)).Return(c))
	}
	gomock.InOrder(calls...)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x100), nil)
	return d
}

func TestAStreamThatIsGivenBackWhileItIsCapturedIsDestroyed(t *testing.T) {
	for _, pending := range []bool{false, true} {
		d := found(t, Captured)
		p := New(Config{})
		s := get(t, p, d, 0, Created)
		if e := p.Find(uintptr(s)); !pending {
			e.Synchronized(e.Submissions())
		}
		gomock.InOrder(d.EXPECT().EndCapture(s).Return(false), d.EXPECT().StreamDestroy(s).Return(nil))
		o, err := p.Put(d, s)
		require.NoError(t, err)
		require.Equal(t, Destroyed, o)
		d.EXPECT().StreamCreate().Return(driver.Stream(0x140), nil)
		require.NotEqual(t, s, get(t, p, d, 0, Created))
	}
}

func TestAStreamThatHasJoinedACaptureComesBackWhenThatIsOver(t *testing.T) {
	d := found(t, Captured, Captured, Usable)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	d.EXPECT().EndCapture(s).Return(true)
	o, err := p.Put(d, s)
	require.NoError(t, err)
	require.Equal(t, Deferred, o)
	d.EXPECT().StreamCreate().Return(driver.Stream(0x140), nil)
	get(t, p, d, 0, Created)
	d.EXPECT().StreamIdle(s).Return(true, nil)
	require.Equal(t, s, get(t, p, d, 0, Drained))
}

func TestAStreamThatTheProgramHasDestroyedIsForeign(t *testing.T) {
	d := found(t, Unknown)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	says := &driver.Error{Call: "hipStreamDestroy", Name: "hipErrorContextIsDestroyed", Code: driver.InvalidHandle}
	d.EXPECT().StreamDestroy(s).Return(says)
	_, err := p.Put(d, s)
	require.Equal(t, says, err)
	require.Nil(t, p.Find(uintptr(s)))
	p.Streams(func(e *Entry) bool { t.Errorf("stream %#x is listed", e.Handle()); return true })
}

func TestAnEventThatWasCapturedIsNeitherQueriedNorReused(t *testing.T) {
	d := found(t, Captured, Captured, Usable)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	next := driver.Event(0x1000)
	d.EXPECT().EventCreate().DoAndReturn(func() (driver.Event, error) { next += 0x40; return next, nil }).Times(3)
	e, _, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	p.NoteCaptured(p.Find(uintptr(e)), s)
	o, err := p.PutEvent(d, e)
	require.NoError(t, err)
	require.Equal(t, Deferred, o, "HIP before 6 follows it when the capture ends")
	other, o, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	require.Equal(t, Created, o)
	require.NotEqual(t, e, other)
	d.EXPECT().EventDestroy(e).Return(nil)
	_, o, err = p.GetEvent(d, 0)
	require.NoError(t, err)
	require.Equal(t, Created, o)
}

func TestAResetDeviceHasNoStreamsAndEvents(t *testing.T) {
	d := newMock(t)
	handle := uintptr(0x1000)
	d.EXPECT().StreamCreate().DoAndReturn(func() (driver.Stream, error) { handle += 0x40; return driver.Stream(handle), nil }).AnyTimes()
	d.EXPECT().EventCreate().DoAndReturn(func() (driver.Event, error) { handle += 0x40; return driver.Event(handle), nil }).AnyTimes()
	p := New(Config{Devices: 2})
	idle, draining, live, other := get(t, p, d, 0, Created), get(t, p, d, 0, Created), get(t, p, d, 0, Created), get(t, p, d, 1, Created)
	event, _, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	putSynchronized(t, p, d, idle, Pooled)
	_, err = p.Put(d, draining)
	require.NoError(t, err)
	_, err = p.PutEvent(d, event)
	require.NoError(t, err)
	p.Lose(0)
	for _, h := range []uintptr{uintptr(idle), uintptr(draining), uintptr(live), uintptr(event)} {
		require.Nil(t, p.Find(h), "%#x", h)
	}
	get(t, p, d, 0, Created)
	get(t, p, d, 0, Created)
	_, o, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	require.Equal(t, Created, o)
	require.Equal(t, Live, p.Find(uintptr(other)).State())
	listed := 0
	p.Streams(func(*Entry) bool { listed++; return true })
	require.Equal(t, 3, listed, "two new ones, and that of the other device")
}

// The program destroys a stream through the driver's own library, and gets the same address for an event.
func TestAHandleThatIsAnEventNowIsNoStreamOfThePool(t *testing.T) {
	d := found(t, Unknown)
	p := New(Config{})
	s := get(t, p, d, 0, Created)
	d.EXPECT().EventDestroy(driver.Event(s)).Return(nil)
	o, err := p.PutEvent(d, driver.Event(s))
	require.NoError(t, err)
	require.Equal(t, PassedOn, o)
	require.Nil(t, p.Find(uintptr(s)))
}

func TestAHandleThatIsAStreamNowIsNoEventOfThePool(t *testing.T) {
	d := NewMockDriver(gomock.NewController(t))
	d.EXPECT().EventCreate().Return(driver.Event(0x100), nil)
	p := New(Config{})
	e, _, err := p.GetEvent(d, 0)
	require.NoError(t, err)
	d.EXPECT().StreamKnown(driver.Stream(e)).Return(true)
	d.EXPECT().StreamDestroy(driver.Stream(e)).Return(nil)
	o, err := p.Put(d, driver.Stream(e))
	require.NoError(t, err)
	require.Equal(t, PassedOn, o)
	require.Nil(t, p.Find(uintptr(e)))
}
