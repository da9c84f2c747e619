package mgpu

import (
	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/locks"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/modulecache"
)

// hostUses caches which kernels print and which call the host, for the module of the latest query: programs look up the
// kernels of one module after another, and each result takes parsing the image.
type hostUses struct {
	mu       locks.Mutex[locks.HostUses]
	module   driver.Module              // zero: no module
	printing map[string]bool            // nil until asked for
	calling  map[string]codeobj.HostUse // nil until asked for
	foreign  bool                       // the image has no AMDGPU code that can be read: both stay nil
}

// forget removes a module whose handle may be reused.
func (u *hostUses) forget(module driver.Module) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.module == module {
		u.turnTo(0)
	}
}

// turnTo makes room for a module. The caller has locked u.mu.
func (u *hostUses) turnTo(module driver.Module) {
	if u.module != module {
		u.module, u.printing, u.calling, u.foreign = module, nil, nil, false
	}
}

// prints reports whether a kernel prints, or calls the host in another way. False if the library did not load the module.
func (u *hostUses) prints(c *modulecache.Cache, module driver.Module, name string) bool {
	return usesOf(u, c, module, &u.printing, codeobj.Printing)[name]
}

// calls reports whether a kernel calls the host. For modules that the library did not load, or can't read, it returns
// HostUseMaybe.
func (u *hostUses) calls(c *modulecache.Cache, module driver.Module, name string) codeobj.HostUse {
	uses := usesOf(u, c, module, &u.calling, codeobj.HostUses)
	if uses == nil {
		return codeobj.HostUseMaybe
	}
	return uses[name]
}

// usesOf returns what parse finds in a module's image, by kernel name, and keeps it in a field of u. parse returns nil for
// an image without AMDGPU code, which is then not parsed again.
func usesOf[Use any](u *hostUses, c *modulecache.Cache, module driver.Module, kept *map[string]Use, parse func(codeobj.Kind, []byte) map[string]Use) map[string]Use {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.turnTo(module)
	if *kept == nil && !u.foreign && !c.Inspect(module, func(kind codeobj.Kind, image []byte) {
		*kept = parse(kind, image)
		u.foreign = *kept == nil
	}) {
		u.turnTo(0)
	}
	return *kept
}
