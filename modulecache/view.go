package modulecache

import "github.com/mgpu-runtime/mgpu/mgpu/driver"

// View calls f with the image of a module, which stays in place during the call;
// nil for a module of another library's.
func (c *Cache) View(m driver.Module, f func(image []byte)) {
	l := c.modules.Find(uintptr(m))
	if l == nil || !l.of.pin() {
		f(nil)
		return
	}
	defer l.of.unpin()
	f(l.of.image)
}
