package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/launchgraph"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// awaiting is a driver whose graphs must not be destroyed while they execute. It notes the streams that are waited for.
type awaiting struct {
	*null.Driver
	streams []driver.Stream
}

func (*awaiting) GraphTraits() driver.GraphTraits { return driver.GraphTraits{Pinned: true} }

func (d *awaiting) StreamSynchronize(s driver.Stream) error {
	d.streams = append(d.streams, s)
	return nil
}

// A driver may give the handle of a destroyed stream to an event.
func TestAKeptGraphWaitsForItsStreamAndNoEvent(t *testing.T) {
	d := &awaiting{Driver: null.Open(null.Options{})}
	h := over(d, Config{})
	stream, event := h.StreamCreate(), h.EventCreate()
	launchOn(h, stream)
	h.EventRecord(event, stream)
	k := h.core.Load()
	require.True(t, k.pool.Find(event).Pending())
	for exec, latest := range []uintptr{event, stream} {
		k.resets.madeOneNode(driver.GraphExec(exec))
		h.DropOneNode(launchgraph.OneNode{Exec: driver.GraphExec(exec)}, latest)
	}
	require.Equal(t, []driver.Stream{driver.Stream(stream)}, d.streams)
}
