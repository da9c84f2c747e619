package streampool

import (
	"testing"

	"github.com/golang/mock/gomock"
)

// newMock returns a mock of a driver whose streams are all Usable.
func newMock(t *testing.T) *MockDriver {
	d := NewMockDriver(gomock.NewController(t))
	d.EXPECT().StreamCondition(gomock.Any()).Return(Usable).AnyTimes()
	d.EXPECT().StreamKnown(gomock.Any()).Return(false).AnyTimes()
	return d
}
