package gcn

import (
	"math/bits"
	"sync"
)

// GWS is the global wave sync of one queue: resources that waves of all workgroups wait at.
// A kernel that does so needs all of its workgroups resident, as a cooperative launch has them.
// The zero value is ready for use.
type GWS struct {
	mu        sync.Mutex
	resources [64]gwsResource
}

// gwsResource is a barrier or a semaphore; what it is depends on who uses it.
type gwsResource struct {
	count  int64  // waves that a barrier lacks but for the last, or that may pass a semaphore
	opened uint64 // how often the barrier has let its waves go
	queued int64  // waves that wait at the semaphore
}

// gwsWait is where a wave waits.
type gwsWait struct {
	waits bool
	until uint64 // the barrier has opened so often
}

// NewGWS makes the resource 0 a barrier for so many waves, which is what a cooperative launch
// finds: one for each of its workgroups.
func NewGWS(waves uint32) *GWS {
	s := new(GWS)
	s.resources[0].count = int64(waves) - 1
	return s
}

// StartSync lets a wave that starts use a queue's global wave sync; nil: it may not.
func (w *Wave) StartSync(s *GWS) { w.gwsOf, w.gws = s, gwsWait{} }

// gws makes a meaning of what an instruction does to its resource, with a number of its first
// active lane's. arrive tells whether the wave has to wait; then ready is asked until it says
// that it need not any more. The resource's lock is held.
//
// The instructions are those of the Vega ISA, "GWS operations". There the number of a barrier is
// how many waves it waits for, less one, each wave's for the next time.
func gws(arrive func(r *gwsResource, w *gwsWait, number int64) (waits bool), ready func(r *gwsResource, w *gwsWait) bool) Meaning {
	return func(i *Inst) Step {
		offset, words := uint32(i.Imm), uint32(i.Size)/4
		var data registers
		if i.Src[0].Kind == VReg || i.Src[0].Kind == AReg {
			data = bindRegisters(&i.Src[0])
		}
		return func(w *Wave) {
			if w.gwsOf == nil {
				w.fail("global wave sync in a launch that is not cooperative", -1, 0)
				return
			}
			number := int64(0)
			if data.count != 0 {
				number = int64(data.of(w, 0)[bits.TrailingZeros64(w.Exec())&63])
			}
			w.gwsOf.mu.Lock()
			defer w.gwsOf.mu.Unlock()
			r := &w.gwsOf.resources[(w.S[M0]>>16+offset)&63]
			if w.gws.waits {
				w.gws.waits = !ready(r, &w.gws)
			} else {
				w.gws.waits = arrive(r, &w.gws, number)
			}
			if w.gws.waits {
				w.PC -= words
				w.Status = Yielded
			}
		}
	}
}

func gwsInit(r *gwsResource, _ *gwsWait, number int64) bool {
	r.count = number
	return false
}

func gwsBarrier(r *gwsResource, w *gwsWait, number int64) bool {
	if r.count <= 0 {
		r.opened++
		r.count = number
		return false
	}
	r.count--
	w.until = r.opened + 1
	return true
}

func gwsOpened(r *gwsResource, w *gwsWait) bool { return r.opened >= w.until }

func gwsV(r *gwsResource, _ *gwsWait, _ int64) bool {
	r.count++
	return false
}

func gwsBulk(r *gwsResource, _ *gwsWait, number int64) bool {
	r.count += number
	return false
}

func gwsReleaseAll(r *gwsResource, _ *gwsWait, _ int64) bool {
	r.count = r.queued
	return false
}

func gwsP(r *gwsResource, _ *gwsWait, _ int64) bool {
	r.queued++
	return !gwsPassed(r, nil)
}

func gwsPassed(r *gwsResource, _ *gwsWait) bool {
	if r.count <= 0 {
		return false
	}
	r.count--
	r.queued--
	return true
}
