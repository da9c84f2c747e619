package mgpu

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/mgpu-runtime/mgpu/internal/null"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// ordered is a driver that knows what each stream's next work comes behind.
type ordered struct {
	*null.Driver
	streams map[driver.Stream]map[driver.Stream]bool // those that had work
	events  map[driver.Event]map[driver.Stream]bool
}

func (d *ordered) behind(s driver.Stream) map[driver.Stream]bool {
	if d.streams[s] == nil {
		d.streams[s] = map[driver.Stream]bool{}
	}
	return d.streams[s]
}

func (d *ordered) LaunchKernel(_ driver.Function, l driver.Launch) error {
	d.behind(l.Stream)[l.Stream] = true
	return nil
}

func (d *ordered) EventRecord(e driver.Event, s driver.Stream) error {
	d.events[e] = map[driver.Stream]bool{}
	for of := range d.behind(s) {
		d.events[e][of] = true
	}
	return nil
}

func (d *ordered) StreamWaitEvent(s driver.Stream, e driver.Event) error {
	for of := range d.events[e] {
		d.behind(s)[of] = true
	}
	return nil
}

// A stream that follows another one's work from before does so whatever becomes of a
// recording that has no work.
func TestWhatWasThereBeforeIsFollowedWithoutWork(t *testing.T) {
	for name, end := range map[string]func(h *host, id, s uintptr){
		"the end":         func(*host, uintptr, uintptr) {},
		"another call":    func(h *host, id, s uintptr) { h.RecordEnd(id, "mgpuMemAlloc") },
		"a wait":          func(h *host, id, s uintptr) { h.RecordSynchronize(id, s) },
		"a foreign piece": func(h *host, id, s uintptr) { h.RecordLaunch(id, launchOf(0, 1)) },
	} {
		d := &ordered{null.Open(null.Options{}), map[driver.Stream]map[driver.Stream]bool{}, map[driver.Event]map[driver.Stream]bool{}}
		h := over(d, Config{})
		before, by, behind := h.StreamCreate(), h.StreamCreate(), h.StreamCreate()
		h.nameKernel(0x500, 1, "kernel")
		h.LaunchKernel(launchOf(before, 1))
		id := h.GraphBegin(7, 0)
		e := h.EventCreate()
		require.True(t, h.RecordEventRecord(id, e, before))
		require.True(t, h.RecordStreamWait(id, by, e))
		require.True(t, h.RecordStreamWait(id, behind, by), "a stream in an event's place")
		end(h, id, behind)
		h.GraphEnd(id)
		for _, s := range []uintptr{by, behind} {
			require.True(t, d.behind(driver.Stream(s))[driver.Stream(before)], name)
		}
	}
}
