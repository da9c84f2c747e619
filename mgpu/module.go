package mgpu

import (
	"fmt"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/trace"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/modulecache"
)

// LoadedImage is the copy of an image from which a shared module was loaded.
type LoadedImage struct {
	Address, Length uintptr
}

func (r *Runtime) moduleLoaded() {
	if r.cfg.FastPath != nil {
		r.cfg.FastPath.ForgetFunctions()
	}
}

func (r *Runtime) moduleUnloading(m driver.Module) {
	r.moduleLoaded() // cached look-ups are invalid
	r.hostUses.forget(m)
	r.regions.Unloading(m)
	r.forgetKernels(m)
}

// moduleLost is called by the cache when the program has unloaded a shared module through the driver's own library: see
// [modulecache.Config].
func (r *Runtime) moduleLost(m driver.Module) (comparing bool) {
	r.moduleUnloading(m)
	return r.cfg.FastPath != nil && r.cfg.FastPath.ForgetModule(m)
}

// newModules makes the module cache. With MGPU_CACHE=off the cache shares nothing: it finds the ends of images, and
// stores the copies that drivers need.
func (r *Runtime) newModules(d driver.Driver, devices int) *modulecache.Cache {
	mc := modulecache.Config{Lost: r.moduleLost}
	if s, ok := d.(driver.ModuleAsker); ok {
		mc.Has = func(m driver.Module, kernel string, device int) bool {
			if devices == 1 {
				return s.ModuleHas(m, kernel)
			}
			return r.moduleOnDevice(d, s, m, kernel, device)
		}
	}
	if r.cfg.FastPath != nil {
		mc.Take = r.cfg.FastPath.ReleaseModule
	}
	if r.cfg.Process != nil {
		mc.Holds = r.cfg.Process.Holds
	}
	if p, ok := d.(driver.ModulePreparer); ok && !r.cfg.NoCache {
		mc.Prepare = p.PrepareModule
	}
	if r.cfg.NoCache {
		mc.Bytes = -1
		mc.Traits = func(codeobj.Kind, []byte) codeobj.Traits { return codeobj.Traits{Unshareable: "the cache is off"} }
	}
	return modulecache.New(mc)
}

// moduleOnDevice asks whether the driver still has a module of a device. HIP ends the process if another device than the
// module's is current.
func (r *Runtime) moduleOnDevice(d driver.Driver, asker driver.ModuleAsker, m driver.Module, kernel string, device int) bool {
	before, err := d.Device()
	if err != nil || before != device && d.SetDevice(device) != nil {
		return true
	}
	has := asker.ModuleHas(m, kernel)
	if before != device {
		if err := d.SetDevice(before); err != nil {
			r.report(callNames[moduleUnload], err)
		}
	}
	return has
}

// ModuleLoad loads the code object at image on the current device. If loaded has a length, a later call for the same
// address may return the same module, provided that the bytes there equal the copy and that a reference is held.
func (r *Runtime) ModuleLoad(image uintptr) (m uintptr, loaded LoadedImage) {
	f, ok := r.enter(moduleLoad)
	if !ok {
		return 0, LoadedImage{}
	}
	defer f.leave()
	device, err := f.device()
	if f.failedToGive(err) {
		return 0, LoadedImage{}
	}
	f.noticeReset()
	dm, outcome, err := f.k.modules.Load(f.meter, device, image)
	return f.moduleResult(dm, outcome, err), f.lasting(outcome)
}

// lasting returns the image of a load whose module C may return again: the address was seen before, and there is no
// second device to load the image on.
func (f *frame) lasting(o modulecache.Outcome) LoadedImage {
	if len(o.Image) == 0 || f.k.devices != 1 {
		return LoadedImage{}
	}
	return LoadedImage{Address: addressOfBytes(o.Image), Length: uintptr(len(o.Image))}
}

// ModuleLoadJIT compiles the text at source for the current device at optimization level opt.
// loaded: see [Runtime.ModuleLoad].
func (r *Runtime) ModuleLoadJIT(source uintptr, opt int32) (m uintptr, loaded LoadedImage) {
	f, ok := r.enter(moduleLoadJIT)
	if !ok {
		return 0, LoadedImage{}
	}
	defer f.leave()
	if f.k.jit == nil {
		f.failedToGive(f.noCompiler())
		return 0, LoadedImage{}
	}
	device, err := f.device()
	if f.failedToGive(err) {
		return 0, LoadedImage{}
	}
	f.noticeReset()
	dm, outcome, err := f.k.modules.LoadJIT(f.k.jit, device, source, int(opt))
	return f.moduleResult(dm, outcome, err), f.lasting(outcome)
}

func (f *frame) noCompiler() error {
	return f.unsupported("compiler for PTX: that needs an NVIDIA GPU; lower to a binary format instead")
}

// ModuleUnload drops a reference to a module.
func (r *Runtime) ModuleUnload(module uintptr) {
	f, ok := r.enter(moduleUnload)
	if !ok {
		return
	}
	defer f.leave()
	outcome, err := f.k.modules.Unload(f.meter, driver.Module(module))
	if err != nil {
		f.counters.others.Add(1)
		f.failedOn(module, err)
		return
	}
	f.countModule(outcome)
}

// ModuleGetFunction returns a kernel of a module. name is the address of the NUL-terminated name.
func (r *Runtime) ModuleGetFunction(module, name uintptr) uintptr {
	f, ok := r.enter(moduleGetFunction)
	if !ok {
		return 0
	}
	defer f.leave()
	text, ok := cString(name)
	if !ok {
		f.failedToGive(&driver.Error{Call: fmt.Sprintf("%s(%#x)", callNames[f.call], module), Code: driver.InvalidValue, Detail: fmt.Sprintf("%#x is not the address of a kernel name", name)})
		return 0
	}
	if !f.k.cached {
		fn, err := f.ModuleGetFunction(driver.Module(module), text)
		if f.failedToGiveFrom(module, err) {
			return 0
		}
		f.r.nameKernel(uintptr(fn), driver.Module(module), text)
		return uintptr(fn)
	}
	m, err := f.moduleHere(driver.Module(module))
	if f.failedToGiveFrom(module, err) {
		return 0
	}
	fn, outcome, err := f.k.modules.Function(f.meter, m, text)
	if f.failedToGiveFrom(module, err) {
		return 0
	}
	if f.countModule(outcome); !outcome.Saved() {
		f.r.nameKernel(uintptr(fn), m, text)
		f.notePrinting(m, text)
	}
	return uintptr(fn)
}

// moduleHere returns the module whose functions run on the thread's device: see [modulecache.Cache.On].
func (f *frame) moduleHere(m driver.Module) (driver.Module, error) {
	if f.k.devices == 1 {
		return m, nil
	}
	device, err := f.Device()
	if err != nil {
		return 0, err
	}
	return f.k.modules.On(f.meter, f.k.jit, device, m)
}

// moduleResult counts and reports the outcome of a load, and returns the module's handle.
func (f *frame) moduleResult(m driver.Module, o modulecache.Outcome, err error) uintptr {
	if f.failedToGive(err) {
		return 0
	}
	f.countModule(o)
	return uintptr(m)
}

// countModule counts the outcome of a cache operation.
func (f *frame) countModule(o modulecache.Outcome) {
	switch {
	case o.Saved():
	case o.Result == modulecache.Refused && f.k.cached && f.call != moduleUnload: // the reason was counted at load
		f.refuse(o.Reason)
	case o.Result == modulecache.WasStale || o.Result == modulecache.Failed:
		f.counters.others.Add(1)
	case f.k.cached:
		f.countMiss()
	}
}

// meteredJIT makes calls of the driver's compiler and charges them to one mgpu function.
type meteredJIT struct {
	*meter
	compiler driver.JIT
}

func (m *meteredJIT) ModuleLoadJIT(source []byte, opt int) (driver.Module, error) {
	defer m.modules.moduleLoaded()
	defer m.charge().stop()
	return m.compiler.ModuleLoadJIT(source, opt)
}

// refuse counts a module that can't be shared, by reason.
func (f *frame) refuse(reason string) {
	f.counters.refusals.Add(1)
	f.r.cfg.Trace.On().Outcome(trace.Refused, reason)
	s := &f.r.stats
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.refused == nil {
		s.refused = map[string]uint64{}
	}
	s.refused[reason]++
}

// notePrinting notes, before the program gets a kernel, that the kernel prints or calls the host in another way. Frees
// have to wait then: the program may expect the output when a free has returned, since the driver's free waits.
func (f *frame) notePrinting(module driver.Module, name string) {
	m := f.k.memory
	if m == nil || m.sharedWithHost.Load() || f.k.modules.Silent(module) {
		return
	}
	if f.r.hostUses.prints(f.k.modules, module, name) {
		m.noteShared()
	}
}
