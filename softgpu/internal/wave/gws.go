package wave

import "sync"

// GWS is the global wave sync of one queue: resources at which waves of all workgroups wait. A kernel that uses it
// needs all of its workgroups resident, as in a cooperative launch. The zero value is ready for use.
type GWS struct {
	Mu        sync.Mutex
	Resources [64]GWSResource
}

// GWSResource is a barrier or a semaphore, depending on its use.
type GWSResource struct {
	count  int64  // barrier: number of missing waves without the last; semaphore: number of waves that may pass
	opened uint64 // number of times that the barrier has opened
	queued int64  // number of waves that wait at the semaphore
}

// GWSWait is the place at which a wave waits.
type GWSWait struct {
	Waits bool
	until uint64 // number of openings of the barrier at which the wait ends
}

// NewGWS makes the resource 0 a barrier for a number of waves, as for a cooperative launch, which has one wave per
// workgroup there.
func NewGWS(waves uint32) *GWS {
	s := new(GWS)
	s.Resources[0].count = int64(waves) - 1
	return s
}

// StartSync gives a starting wave a queue's global wave sync; nil: it must not use one.
func (w *Wave) StartSync(s *GWS) { w.GwsOf, w.Gws = s, GWSWait{} }

// GWSInit binds ds_gws_init.
func GWSInit(r *GWSResource, _ *GWSWait, number int64) bool {
	r.count = number
	return false
}

// GWSBarrier binds ds_gws_barrier.
func GWSBarrier(r *GWSResource, w *GWSWait, number int64) bool {
	if r.count <= 0 {
		r.opened++
		r.count = number
		return false
	}
	r.count--
	w.until = r.opened + 1
	return true
}

// GWSOpened binds ds_gws_barrier.
func GWSOpened(r *GWSResource, w *GWSWait) bool { return r.opened >= w.until }

// GWSV binds ds_gws_sema_v.
func GWSV(r *GWSResource, _ *GWSWait, _ int64) bool {
	r.count++
	return false
}

// GWSBulk binds ds_gws_sema_br.
func GWSBulk(r *GWSResource, _ *GWSWait, number int64) bool {
	r.count += number
	return false
}

// GWSReleaseAll binds ds_gws_sema_release_all.
func GWSReleaseAll(r *GWSResource, _ *GWSWait, _ int64) bool {
	r.count = r.queued
	return false
}

// GWSP binds ds_gws_sema_p.
func GWSP(r *GWSResource, _ *GWSWait, _ int64) bool {
	r.queued++
	return !GWSPassed(r, nil)
}

// GWSPassed binds ds_gws_sema_p.
func GWSPassed(r *GWSResource, _ *GWSWait) bool {
	if r.count <= 0 {
		return false
	}
	r.count--
	r.queued--
	return true
}
