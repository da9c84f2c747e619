package softgpu

import (
	"fmt"
	"math"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// LaunchKernel implements driver.Driver. It copies the arguments before it returns.
func (d *Driver) LaunchKernel(h driver.Function, l driver.Launch) error {
	f := d.functions.get(uintptr(h))
	if f == nil {
		return invalidHandle.of("hipModuleLaunchKernel", "no function has the handle %#x", uintptr(h))
	}
	s, err := d.stream(f.call, l.Stream)
	if err != nil {
		return err
	}
	return d.launch(f, s, &l, false)
}

// LaunchCooperative implements driver.CooperativeLauncher.
func (d *Driver) LaunchCooperative(h driver.Function, cluster driver.Dim3, l driver.Launch) error {
	f := d.functions.get(uintptr(h))
	if f == nil {
		return invalidHandle.of("hipModuleLaunchCooperativeKernel", "no function has the handle %#x", uintptr(h))
	}
	call := "hipModuleLaunchCooperativeKernel(" + f.name + ")"
	if cluster != (driver.Dim3{}) {
		return notSupported.of(call, "this device has no workgroup clusters")
	}
	s, err := d.stream(call, l.Stream)
	if err != nil {
		return err
	}
	if err := f.checkSizes(&l); err != nil {
		return err
	}
	groups := uint64(l.Grid.X) * uint64(l.Grid.Y) * uint64(l.Grid.Z)
	if most := s.dev.machine.Resident(f.kernel, dims(l.Block), l.SharedBytes); groups > uint64(most) {
		return cooperativeTooLarge.of(call, "%d workgroups, but the device holds %d of this kernel at once", groups, most)
	}
	return d.launch(f, s, &l, true)
}

func dims(d driver.Dim3) [3]uint32 { return [3]uint32{d.X, d.Y, d.Z} }

func (d *Driver) launch(f *function, s *stream, l *driver.Launch, cooperative bool) error {
	if err := f.checkSizes(l); err != nil {
		return err
	}
	if f.module.dev != s.dev {
		return invalidHandle.of(f.call, "the kernel is loaded on device %d, the stream belongs to device %d", f.module.dev.index, s.dev.index)
	}
	o := op{kind: opLaunch, fn: f, grid: dims(l.Grid), block: dims(l.Block), lds: l.SharedBytes, cooperative: cooperative}
	size := f.launchBlock()
	args, err := d.heap.alloc(size, s.dev.index, devices)
	if err != nil {
		return outOfMemory.of(f.call, "%v", err)
	}
	o.args = args
	b := bytesAt(args, size)
	clear(b)
	if err := f.readLaunch(b, l); err != nil {
		d.heap.free(args, devices)
		return invalidValue.of(f.call, "%v", err)
	}
	f.finishLaunch(b, extent{o.grid, o.block, o.lds, s.dev.queue}, args)
	if !f.module.retain() {
		d.heap.free(args, devices)
		return invalidHandle.of(f.call, "the module was unloaded meanwhile")
	}
	s.dev.submit(s, o, false)
	return nil
}

// launchBlock returns the size of the block of a launch: its dispatch packet, its kernel arguments, and space for
// reading them.
func (f *function) launchBlock() uint64 {
	return packetSize + f.segment() + 8*uint64(max(len(f.explicit), 1))
}

func (f *function) segment() uint64 { return uint64(f.kernarg+15) &^ 15 }

// readLaunch copies the program's arguments to the block b, which is zero.
func (f *function) readLaunch(b []byte, l *driver.Launch) error {
	return f.readArguments(b[packetSize:packetSize+f.kernarg:packetSize+f.kernarg], b[packetSize+f.segment():], l)
}

// finishLaunch writes the rest of the block b, whose address is args.
func (f *function) finishLaunch(b []byte, e extent, args uintptr) {
	f.writeHidden(b[packetSize:packetSize+f.kernarg:packetSize+f.kernarg], e)
	f.writePacket(b, e, args+packetSize)
}

// cureForSize says how to compile for larger workgroups; empty if there are none.
func (f *function) cureForSize() string {
	if f.most >= emu.MostItems {
		return ""
	}
	return fmt.Sprintf(": compile it for up to %d, by constant block sizes or known_block_size in MLIR, "+
		"amdgpu_flat_work_group_size in OpenCL C, __launch_bounds__ in HIP", emu.MostItems)
}

// checkSizes refuses grids and workgroups that the device can't run.
func (f *function) checkSizes(l *driver.Launch) error {
	g, b := dims(l.Grid), dims(l.Block)
	switch over := emu.ExcessOfShape(g, b, f.most); over.Limit {
	case emu.EmptyAxis:
		return invalidConfig.of(f.call, "kernel %s: grid (%d,%d,%d) of workgroups (%d,%d,%d) is empty along %c",
			f.name, g[0], g[1], g[2], b[0], b[1], b[2], "xyz"[over.Axis])
	case emu.GroupItems:
		return invalidConfig.of(f.call, "kernel %s: workgroups of (%d,%d,%d) have more than the %d work-items that it is compiled for%s",
			f.name, b[0], b[1], b[2], over.Most, f.cureForSize())
	}
	total := uint64(1)
	for i := range g {
		along := uint64(g[i]) * uint64(b[i])
		if total *= min(along, math.MaxUint32+1); total > math.MaxUint32 {
			return invalidConfig.of(f.call, "kernel %s: grid (%d,%d,%d) of workgroups (%d,%d,%d) has more than %d work-items",
				f.name, g[0], g[1], g[2], b[0], b[1], b[2], uint32(math.MaxUint32))
		}
	}
	if f.required != [3]uint32{} && f.required != b {
		return invalidConfig.of(f.call, "kernel %s: workgroups of (%d,%d,%d), but it is compiled for (%d,%d,%d) only",
			f.name, b[0], b[1], b[2], f.required[0], f.required[1], f.required[2])
	}
	switch over := f.module.dev.machine.Excess(f.kernel, b, uint64(f.kernel.LDS)+uint64(l.SharedBytes)); over.Limit {
	case emu.GroupWaves:
		return outOfResources.of(f.call, "kernel %s: workgroups of (%d,%d,%d) are %d waves of %d VGPRs each, and %s holds %d of them",
			f.name, b[0], b[1], b[2], over.Wanted, f.kernel.Registers(), over.Unit, over.Most)
	case emu.GroupMemory:
		return invalidConfig.of(f.call, "kernel %s: %d bytes of workgroup memory, %d static and %d dynamic, where %d exist",
			f.name, over.Wanted, f.kernel.LDS, l.SharedBytes, over.Most)
	}
	return nil
}
