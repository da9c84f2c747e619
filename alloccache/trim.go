package alloccache

import "math"

// never is a time before which all blocks were freed.
const never = math.MaxInt64

// Flush gives everything of a device that is free back to the driver, what waits
// too: the driver waits for it. It returns how many bytes that were. While the
// program captures a stream nothing happens.
func (c *Cache) Flush(d Driver, device int) uint64 {
	if !c.known(device) || d.Quiet() {
		return 0
	}
	var bytes uint64
	c.gather()
	for k := range kinds {
		s := &c.shelves[k][device]
		for b := s.least(never); b != nil; b = s.least(never) {
			bytes += b.bytes
			c.release(d, b)
		}
	}
	for _, scope := range c.scopes.all() {
		bytes += scope.trim(d, device)
	}
	return bytes
}

// gather puts what lies in threads' freeLists on its shelves.
func (c *Cache) gather() {
	if !c.cfg.Quick {
		return
	}
	for ptr := c.cfg.FreeLists.Take(Any); ptr != 0; ptr = c.cfg.FreeLists.Take(Any) {
		c.Keep(ptr)
	}
}

// Keep puts a block that was taken out of a hand on its shelf.
func (c *Cache) Keep(ptr uintptr) {
	if b := c.table.Find(ptr); b != nil && b.move(Listed, Held) {
		b.marks = b.marks[:0]
		c.shelves[b.kind][b.dev].put(b)
	}
}

// How long a free block lies unused before it is given back, and how often old ones
// are looked for, in nanoseconds.
const (
	Lifetime = 300e9
	tidyings = 10e9
)

// tidy gives back, now and then, what nobody has used for long. There is no thread
// that does it in a process that makes no calls: it would have to touch the driver
// at a time when the program does not expect it.
func (c *Cache) tidy(d Driver) {
	now, last := c.cfg.Now(), c.idle.Load()
	if now-last < tidyings || !c.idle.CompareAndSwap(last, now) || d.Quiet() {
		return
	}
	c.TrimIdle(d, now-Lifetime, 32)
}

// TrimIdle gives back what was freed before a time and not used since, so many
// blocks of each kind at most. It returns how many bytes that were.
func (c *Cache) TrimIdle(d Driver, before int64, most int) (bytes uint64) {
	c.gather()
	for k := range kinds {
		for i := range c.shelves[k] {
			s := &c.shelves[k][i]
			for n := 0; n < most; n++ {
				b := s.least(before)
				if b == nil {
					break
				}
				bytes += b.bytes
				c.release(d, b)
			}
		}
	}
	return bytes
}
