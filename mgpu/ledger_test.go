package mgpu

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTheLedgerFollowsHandles(t *testing.T) {
	r := New(Config{})
	note := func(call int, handle, result, session uint64) {
		n := ResourceCall{Call: call, Args: [4]uint64{handle, 0, 64, 0}, Result: result, Session: session, Site: 1}
		if call == streamDestroy {
			n.Args[3] = handle
		}
		r.NoteResource(&n)
	}
	lines := func() (all []string) {
		for _, l := range r.Leaks() {
			all = append(all, l.String())
		}
		return all
	}
	note(memAlloc, 0, 0, 0) // a failed allocation
	note(memFree, 5, 0, 0)
	note(streamDestroy, 5, 0, 0)
	assert.Empty(t, lines())

	note(streamCreate, 0, 7, 0)
	note(streamCreate, 0, 7, 0) // another thread's stream, whose destruction is noted late
	note(streamDestroy, 7, 0, 0)
	assert.Equal(t, []string{"1 stream never destroyed, created by mgpu call 0"}, lines())
	note(eventDestroy, 7, 0, 0)
	assert.Empty(t, lines())

	note(memAlloc, 0, 0x100, 0)
	note(memAlloc, 0, 0x200, 3)
	note(allocCacheEnd, 9, 0, 0)
	assert.Equal(t, []string{"2 blocks of memory, 128 bytes never freed, the last allocated by mgpu call 0"}, lines())
	note(allocCacheEnd, 9, 3, 0)
	assert.Equal(t, []string{"1 block of memory, 64 bytes never freed, allocated by mgpu call 0"}, lines())
	note(memFree, 0x100, 0, 0)

	note(graphBegin, 4, 1, 0)
	note(graphBegin, 4, 1, 0)
	note(graphBegin, 6, 0, 0) // nothing is recorded
	note(moduleLoad, 0, 8, 0)
	note(allocCacheCreate, 0, 9, 0)
	assert.Equal(t, []string{"1 module never unloaded, loaded by mgpu call 0", "1 scope never destroyed, created by mgpu call 0",
		"1 graph never destroyed, recorded by mgpu call 0"}, lines())
	note(graphDestroy, 4, 0, 0)
	note(moduleUnload, 8, 0, 0)
	note(allocCacheDestroy, 9, 0, 0)
	assert.Empty(t, lines())
}
