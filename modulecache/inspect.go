package modulecache

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// Inspect shows look the image of a module that the cache has loaded, which stays
// in place until look returns. It reports whether there is one.
func (c *Cache) Inspect(m driver.Module, look func(kind Kind, image []byte)) bool {
	l := c.modules.Find(uintptr(m))
	if l == nil || !l.of.pin() {
		return false
	}
	defer l.of.unpin()
	look(l.of.id.kind, l.of.image)
	return true
}
