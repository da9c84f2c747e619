package softgpu

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/source"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/hostcall"
)

// module is a loaded code object. Its memory stays allocated until the module has been unloaded and the launches that
// use it have ended.
type module struct {
	dev        *device
	base       uintptr // address at which the object's address zero is
	text       emu.Text
	newProgram func(emu.Text) (*emu.Program, error)
	program    [2]*emu.Program // text for waves of 64 and of 32, made when a kernel of that size is looked up
	kernels    map[string]*codeobj.Kernel
	records    *hostcall.Records // formats of printf buffers; nil: none
	source     *source.Lines     // nil: kernels are not checked
	users      atomic.Int64      // launches that have not ended, and one while it is loaded

	mu        sync.Mutex
	unloaded  bool
	functions map[string]*function // that were looked up
}

// release ends one use of m.
func (m *module) release() {
	if m.users.Add(-1) == 0 {
		m.dev.heap.free(m.base, devices)
	}
}

// retain begins a use of m. It fails if m is gone.
func (m *module) retain() bool {
	for {
		n := m.users.Load()
		if n == 0 {
			return false
		}
		if m.users.CompareAndSwap(n, n+1) {
			return true
		}
	}
}

// leastModule keeps modules out of the heap's small slots, since segments have to begin at pages.
const leastModule = smallestSlot<<(slotClasses-1) + 1

// ModuleLoad implements driver.Driver.
func (d *Driver) ModuleLoad(image []byte) (driver.Module, error) {
	return d.loadModule(codeobj.Read(image))
}

// PrepareModule implements driver.ModulePreparer.
func (d *Driver) PrepareModule(image []byte) driver.PreparedModule {
	r := codeobj.Read(image)
	traits := r.Traits()
	return driver.PreparedModule{Unshareable: traits.Unshareable, Silent: traits.Silent, Load: func() (driver.Module, error) { return d.loadModule(r) }}
}

func (d *Driver) loadModule(r *codeobj.Reading) (driver.Module, error) {
	const call = "hipModuleLoadData"
	dev, image, target := d.current(), r.Image, d.target.String()
	if r.Kind == codeobj.KindBundle {
		var err error
		if image, err = codeobj.Unbundle(image, target); err != nil {
			return 0, wrongArch.of(call, "%v", err)
		}
	}
	obj, err := r.Parse(image)
	if err != nil {
		return 0, invalidImage.of(call, "%v", err)
	}
	if !obj.ID.Runs(d.target) {
		return 0, wrongArch.of(call, "the code object is for %s, the device is %s: lower with rocdl-attach-target{chip=%s}%s", obj.ID, target, d.chip, otherChip(obj.ID.String()))
	}
	m := &module{dev: dev, kernels: map[string]*codeobj.Kernel{}, functions: map[string]*function{}}
	size := max(obj.MemSize(), leastModule)
	if !d.heap.exact() {
		size = wholePages(size)
	}
	if m.base, err = d.heap.alloc(size, dev.index, devices); err != nil {
		return 0, outOfMemory.of(call, "%v", err)
	}
	m.users.Store(1)
	if err := m.load(obj, image, d); err != nil {
		m.release()
		return 0, invalidImage.of(call, "%v", err)
	}
	return driver.Module(d.modules.add(m)), nil
}

// otherChip says how to make this device one that runs code for a target; empty if that is not possible.
func otherChip(target string) string {
	if _, _, err := parseTarget(target); err != nil {
		return ""
	}
	return ", or set MGPU_SOFT_CHIP=" + target
}

// load places the segments and applies relocations. The code is decoded when a kernel runs.
func (m *module) load(obj *codeobj.Object, image []byte, d *Driver) error {
	for _, s := range obj.Segments {
		copy(bytesAt(m.base+uintptr(s.Addr), s.MemSize), s.Bytes)
	}
	for i := range obj.Relocs {
		if err := m.relocate(obj, &obj.Relocs[i]); err != nil {
			return err
		}
	}
	text, size, chip := obj.Text, obj.MemSize(), d.chip
	if d.target.SRAMECC == codeobj.FeatureOff || obj.ID.SRAMECC == codeobj.FeatureOff {
		chip = chip.WithoutECC()
	}
	t := emu.Text{
		Chip: chip, Base: uint64(m.base) + text.Addr, Code: bytesAt(m.base+uintptr(text.Addr), uint64(len(text.Bytes))),
		Word: func(addr uint64) (uint64, bool) {
			if at := addr - uint64(m.base); at >= size || size-at < 8 {
				return 0, false
			}
			return binary.LittleEndian.Uint64(bytesAt(uintptr(addr), 8)), true
		},
	}
	for _, f := range obj.Functions() {
		t.Ranges = append(t.Ranges, emu.Range{Name: f.Name, Start: uint32(f.Start - text.Addr), End: uint32(f.End - text.Addr)})
	}
	for _, addr := range obj.Indirect() {
		t.Indirect = append(t.Indirect, uint64(m.base)+addr)
	}
	m.text, m.newProgram = t, emu.NewProgram
	if d.check != nil {
		m.newProgram = d.check.NewProgram
		m.source = source.New(image, text.Addr)
	}
	m.newProgram = d.profile.NewProgram(m.newProgram)
	if _, err := m.programFor(false); err != nil {
		return err
	}
	var err error
	if len(obj.Printf) > 0 {
		if m.records, err = hostcall.ParseRecords(obj.Printf); err != nil {
			return err
		}
	}
	for i := range obj.Kernels {
		m.kernels[obj.Kernels[i].Name] = &obj.Kernels[i]
	}
	return nil
}

// function returns the kernel with a name, and makes it at the first look-up; nil without an error if there is none.
func (m *module) function(name string, handles *table[function]) (*function, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f := m.functions[name]; f != nil {
		return f, nil
	}
	meta := m.kernels[name]
	if meta == nil || m.unloaded {
		return nil, nil
	}
	program, err := m.programFor(meta.Descriptor.Wavefront32)
	if err != nil {
		return nil, err
	}
	k, err := emu.NewKernel(program, meta.Name, &meta.Descriptor, uint64(m.base)+meta.EntryAddr)
	if err != nil {
		return nil, err
	}
	f, err := newFunction(m, k, meta)
	if err != nil {
		return nil, err
	}
	f.handle = handles.add(f)
	m.functions[meta.Name] = f // not by name: the program may overwrite that memory
	return f, nil
}

// programFor returns the code for waves of one size.
func (m *module) programFor(wave32 bool) (p *emu.Program, err error) {
	t, n := m.text, 0
	if wave32 && t.Chip.RDNA() {
		t.Chip, n = t.Chip.Wave32(), 1
	}
	if m.program[n] == nil {
		m.program[n], err = m.newProgram(t)
	}
	return m.program[n], err
}

func (m *module) relocate(obj *codeobj.Object, r *codeobj.Reloc) error {
	var symbol uint64
	if r.Symbol >= 0 {
		s := &obj.Symbols[r.Symbol]
		switch {
		case s.Defined():
			symbol = uint64(m.base) + s.Value
		case s.Bind != elf.STB_WEAK:
			return fmt.Errorf("%s is not defined in the code object, which refers to it at %#x", s.Name, r.Addr)
		}
	}
	v := r.Value(uint64(m.base), symbol)
	at := m.base + uintptr(r.Addr)
	switch r.Size() {
	case 4:
		fill(at, uint32(v), 1)
	case 8:
		fill(at, uint32(v), 1)
		fill(at+4, uint32(v>>32), 1)
	}
	return nil
}

// ModuleUnload implements driver.Driver. Submitted launches still run.
func (d *Driver) ModuleUnload(h driver.Module) error {
	m := d.modules.remove(uintptr(h))
	if m == nil {
		return invalidHandle.of("hipModuleUnload", "no module has the handle %#x", uintptr(h))
	}
	m.mu.Lock()
	m.unloaded = true
	for _, f := range m.functions {
		d.functions.remove(f.handle)
	}
	m.mu.Unlock()
	m.release()
	return nil
}

// ModuleGetFunction implements driver.Driver.
func (d *Driver) ModuleGetFunction(h driver.Module, name string) (driver.Function, error) {
	m := d.modules.get(uintptr(h))
	if m == nil {
		return 0, invalidHandle.of("hipModuleGetFunction("+name+")", "no module has the handle %#x", uintptr(h))
	}
	f, err := m.function(name, d.functions)
	if err != nil {
		return 0, invalidImage.of("hipModuleGetFunction("+name+")", "%v", err)
	}
	if f == nil {
		return 0, notFound.of("hipModuleGetFunction("+name+")", "the code object's kernels are: %s", m.kernelNames())
	}
	return driver.Function(f.handle), nil
}
