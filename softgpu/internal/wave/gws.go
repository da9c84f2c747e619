package wave

import "sync"

// GWS is the global wave sync of one queue: resources that waves of all workgroups wait at.
// A kernel that does so needs all of its workgroups resident, as a cooperative launch has them.
// The zero value is ready for use.
type GWS struct {
	Mu        sync.Mutex
	Resources [64]GWSResource
}

// GWSResource is a barrier or a semaphore; what it is depends on who uses it.
type GWSResource struct {
	count  int64  // waves that a barrier lacks but for the last, or that may pass a semaphore
	opened uint64 // how often the barrier has let its waves go
	queued int64  // waves that wait at the semaphore
}

// GWSWait is where a wave waits.
type GWSWait struct {
	Waits bool
	until uint64 // the barrier has opened so often
}

// NewGWS makes the resource 0 a barrier for so many waves, which is what a cooperative launch
// finds: one for each of its workgroups.
func NewGWS(waves uint32) *GWS {
	s := new(GWS)
	s.Resources[0].count = int64(waves) - 1
	return s
}

// StartSync lets a wave that starts use a queue's global wave sync; nil: it may not.
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
