package modulecache

import (
	"hash/maphash"
	"strings"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// functions maps the kernel names of one module to functions. Lookups take no lock and compare the whole name.
type functions struct {
	table atomic.Pointer[[]named]

	mu     locks.Mutex[locks.Functions] // serializes changes
	n      int
	closed bool
}

// named is a slot of an open hash table; a zero function marks a free one.
type named struct {
	hash uint64
	name string
	f    driver.Function
}

func (fs *functions) find(name string) driver.Function {
	table := fs.table.Load()
	if table == nil {
		return 0
	}
	if s := slot(*table, maphash.String(seed, name), name); s != nil {
		return s.f
	}
	return 0
}

// slot returns the slot that holds name, or the free slot for it.
func slot(table []named, hash uint64, name string) *named {
	mask := uint64(len(table) - 1)
	for i := hash; ; i++ {
		if s := &table[i&mask]; s.f == 0 || s.hash == hash && s.name == name {
			return s
		}
	}
}

// add adds a name. A table never changes once readers can see it.
func (fs *functions) add(name string, f driver.Function) {
	if f == 0 {
		return
	}
	fs.mu.Lock()
	defer fs.mu.Unlock()
	if fs.closed {
		return
	}
	var old []named
	if t := fs.table.Load(); t != nil {
		old = *t
	}
	size := max(len(old), 8)
	if (fs.n+1)*2 > size {
		size *= 2
	}
	table := make([]named, size)
	for _, s := range old {
		if s.f != 0 {
			*slot(table, s.hash, s.name) = s
		}
	}
	hash := maphash.String(seed, name)
	if s := slot(table, hash, name); s.f == 0 {
		*s = named{hash: hash, name: strings.Clone(name), f: f}
		fs.n++
	}
	fs.table.Store(&table)
}

// any returns one of the names; empty if there are none.
func (fs *functions) any() string {
	if table := fs.table.Load(); table != nil {
		for _, s := range *table {
			if s.f != 0 {
				return s.name
			}
		}
	}
	return ""
}

// forget removes all names.
func (fs *functions) forget() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.n = 0
	fs.table.Store(nil)
}

// close removes all names, and makes add ignore further ones.
func (fs *functions) close() {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.closed = true
	fs.table.Store(nil)
}
