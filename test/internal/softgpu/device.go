package softgpu

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu"
)

// Device is a software GPU of one chip.
type Device struct {
	t       testing.TB
	driver  *softgpu.Driver
	page    []byte // memory for arguments
	buffers []driver.Ptr
	modules []*Module
}

// Buffer is device memory.
type Buffer struct {
	Ptr   driver.Ptr
	Bytes []byte // the memory itself
}

// argumentBytes is the space for a kernel's arguments.
const argumentBytes = 16 << 10

// From returns the part of b that begins at an offset.
func (b Buffer) From(at int) Buffer { return Buffer{b.Ptr + driver.Ptr(at), b.Bytes[at:]} }

// Open makes a device. Close, or the test's end, frees its memory.
func Open(t testing.TB, chip string) *Device {
	t.Helper()
	return open(t, softgpu.Options{Chip: chip})
}

// OpenChecked makes a device that checks kernels with a value of MGPU_CHECK. A finding fails the test.
func OpenChecked(t testing.TB, chip, check string) *Device {
	t.Helper()
	return open(t, softgpu.Options{Chip: chip, Check: check, Reports: findings{t}})
}

// OpenReporting is OpenChecked with the findings written to reports.
func OpenReporting(t testing.TB, chip, check string, reports io.Writer) *Device {
	t.Helper()
	return open(t, softgpu.Options{Chip: chip, Check: check, Reports: reports})
}

// findings are a test's failures.
type findings struct{ t testing.TB }

func (f findings) Write(report []byte) (int, error) {
	f.t.Errorf("%s", report)
	return len(report), nil
}

func open(t testing.TB, o softgpu.Options) *Device {
	t.Helper()
	drv, err := softgpu.Open(o)
	if err != nil {
		t.Fatalf("%v", err)
	}
	d := &Device{t: t, driver: drv}
	d.page = d.Alloc(argumentBytes).Bytes
	t.Cleanup(d.Close)
	return d
}

// Close unloads all modules and frees all buffers. A second Close does nothing.
func (d *Device) Close() {
	d.t.Helper()
	for _, m := range d.modules {
		if err := d.driver.ModuleUnload(m.handle); err != nil {
			d.t.Errorf("%v", err)
		}
	}
	for _, p := range d.buffers {
		if err := d.driver.MemFree(p); err != nil {
			d.t.Errorf("%v", err)
		}
	}
	d.modules, d.buffers = nil, nil
}

// Alloc allocates n bytes of device memory, all zero.
func (d *Device) Alloc(n int) Buffer {
	d.t.Helper()
	p, err := d.driver.MemAlloc(uint64(max(n, 1)))
	if err != nil {
		d.t.Fatalf("%v", err)
	}
	d.buffers = append(d.buffers, p)
	b := Buffer{p, memory(uintptr(p), n)}
	clear(b.Bytes)
	return b
}

// Module is a code object on a device.
type Module struct {
	device *Device
	handle driver.Module
}

// Load loads a code object.
func (d *Device) Load(image []byte) (*Module, error) {
	m, err := d.driver.ModuleLoad(image)
	if err != nil {
		return nil, err
	}
	d.modules = append(d.modules, &Module{d, m})
	return d.modules[len(d.modules)-1], nil
}

// Grid is the shape of a launch: workgroups, work-items in each, and bytes of
// dynamic workgroup memory. Zeros along an axis mean one.
type Grid struct {
	Groups, Items [3]uint32
	Shared        uint32
}

// Linear returns a grid of one dimension.
func Linear(groups, items int) Grid {
	return Grid{Groups: [3]uint32{uint32(groups)}, Items: [3]uint32{uint32(items)}}
}

func dim(v [3]uint32) driver.Dim3 {
	return driver.Dim3{X: max(v[0], 1), Y: max(v[1], 1), Z: max(v[2], 1)}
}

// Launch runs a kernel to its end. Arguments are Buffers, numbers of fixed size,
// []byte for structs passed by value, and Local.
func (m *Module) Launch(kernel string, g Grid, args ...any) error {
	d := m.device
	f, err := d.driver.ModuleGetFunction(m.handle, kernel)
	if err != nil {
		return err
	}
	base := uint64(address(d.page))
	at := (8*len(args) + 63) &^ 63
	for i, a := range args {
		if size, ok := a.(Local); ok {
			g.Shared = (g.Shared + 15) &^ 15
			a = g.Shared
			g.Shared += uint32(size)
		}
		binary.LittleEndian.PutUint64(d.page[8*i:], base+uint64(at))
		b, err := argument(a)
		if err != nil {
			return fmt.Errorf("argument %d of %s: %w", i, kernel, err)
		}
		if at+len(b) > len(d.page) {
			return fmt.Errorf("%s: more than %d bytes of arguments", kernel, len(d.page))
		}
		copy(d.page[at:], b)
		at += (len(b) + 63) &^ 63
	}
	launch := driver.Launch{Grid: dim(g.Groups), Block: dim(g.Items), SharedBytes: g.Shared, Params: uintptr(base)}
	if err := d.driver.LaunchKernel(f, launch); err != nil {
		return err
	}
	return d.driver.StreamSynchronize(0)
}

// Local is the size of a pointer argument to dynamic workgroup memory, as in OpenCL C: the kernel gets its offset.
type Local uint32

func argument(a any) ([]byte, error) {
	le := binary.LittleEndian
	switch a := a.(type) {
	case Buffer:
		return le.AppendUint64(nil, uint64(a.Ptr)), nil
	case []byte:
		return a, nil
	case int32:
		return le.AppendUint32(nil, uint32(a)), nil
	case uint32:
		return le.AppendUint32(nil, a), nil
	case int64:
		return le.AppendUint64(nil, uint64(a)), nil
	case uint64:
		return le.AppendUint64(nil, a), nil
	case float32:
		return le.AppendUint32(nil, math.Float32bits(a)), nil
	case float64:
		return le.AppendUint64(nil, math.Float64bits(a)), nil
	}
	return nil, fmt.Errorf("no kernel takes a %T", a)
}
