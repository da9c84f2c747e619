package streampool

import (
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
)

// directory numbers entries, so that stacks can link them in one word.
type directory struct {
	byID atomic.Pointer[[]atomic.Pointer[Entry]]

	mu   locks.Mutex[locks.Directory]
	next uint32
	free []uint32
}

// at returns the entry with an id from add; nil after remove.
func (d *directory) at(id uint32) *Entry {
	return (*d.byID.Load())[id].Load()
}

// add returns an id for e; zero if all ids, about a million, are in use.
func (d *directory) add(e *Entry) uint32 {
	d.mu.Lock()
	defer d.mu.Unlock()
	var id uint32
	if n := len(d.free); n > 0 {
		id, d.free = d.free[n-1], d.free[:n-1]
	} else if d.next == idMask {
		return 0
	} else {
		d.next++
		id = d.next
	}
	at := d.byID.Load()
	if at == nil || int(id) >= len(*at) {
		grown := make([]atomic.Pointer[Entry], max(64, 2*int(id)))
		if at != nil {
			for i := range *at {
				grown[i].Store((*at)[i].Load())
			}
		}
		at = &grown
		d.byID.Store(at)
	}
	(*at)[id].Store(e)
	return id
}

// each calls f for every entry that has an id.
func (d *directory) each(f func(*Entry)) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for id := uint32(1); id <= d.next; id++ {
		if e := d.at(id); e != nil {
			f(e)
		}
	}
}

// remove frees e's id. The thread that took e from its slot, stack or queue calls remove, once.
func (d *directory) remove(e *Entry) {
	if e.id == 0 {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	(*d.byID.Load())[e.id].Store(nil)
	d.free = append(d.free, e.id)
}
