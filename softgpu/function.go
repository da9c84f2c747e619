package softgpu

import (
	"encoding/binary"
	"fmt"
	"sort"
	"strings"

	"github.com/mgpu-runtime/mgpu/internal/codeobj"
	"github.com/mgpu-runtime/mgpu/internal/count"
	"github.com/mgpu-runtime/mgpu/internal/hostmem"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
	"github.com/mgpu-runtime/mgpu/softgpu/internal/emu"
)

// function is a kernel with its metadata for launches.
type function struct {
	name        string
	call        string // "hipModuleLaunchKernel(name)"
	handle      uintptr
	module      *module
	kernel      *emu.Kernel
	explicit    []codeobj.Arg
	hidden      []codeobj.Arg
	host        hostArguments
	explicitEnd uint32 // bytes of the kernarg segment that the program fills
	kernarg     uint32 // bytes of the kernarg segment
	most        uint32 // most work-items in a workgroup
	required    [3]uint32
}

// mostArguments bounds the size of kernel arguments in bytes: far more than the hardware's packet processor accepts,
// and far less than damaged metadata may claim.
const mostArguments = 1 << 20

func newFunction(m *module, k *emu.Kernel, meta *codeobj.Kernel) (*function, error) {
	if n := max(meta.KernargSize, k.Kernarg); n > mostArguments {
		return nil, fmt.Errorf("kernel %s: %d bytes of arguments, more than %d", meta.Name, n, mostArguments)
	}
	f := &function{
		name:     meta.Name,
		call:     "hipModuleLaunchKernel(" + meta.Name + ")",
		module:   m,
		kernel:   k,
		kernarg:  max(meta.KernargSize, k.Kernarg),
		most:     meta.MaxFlatWorkgroupSize,
		required: meta.ReqdWorkgroupSize,
	}
	if f.most == 0 || f.most > emu.MostItems {
		f.most = emu.MostItems
	}
	for _, a := range meta.Args {
		if a.Hidden() {
			f.hidden = append(f.hidden, a)
			continue
		}
		f.explicit = append(f.explicit, a)
		f.explicitEnd = max(f.explicitEnd, a.Offset+a.Size)
	}
	for i := range f.hidden {
		switch a := &f.hidden[i]; a.Kind {
		case codeobj.HiddenHostcallBuffer:
			f.host.calls = a
		case codeobj.HiddenHeapV1:
			f.host.books = a
		case codeobj.HiddenPrintfBuffer:
			f.host.records = a
		}
	}
	return f, nil
}

// mostNamed is the number of kernels that a message lists.
const mostNamed = 32

func (m *module) kernelNames() string {
	names := make([]string, 0, len(m.kernels))
	for name := range m.kernels {
		names = append(names, name)
	}
	sort.Strings(names)
	if more := len(names) - mostNamed; more > 0 {
		names = append(names[:mostNamed], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// HIP's and CUDA's packed form of arguments: pairs of a tag and a pointer.
const (
	extraPointer = 1
	extraSize    = 2
	extraEnd     = 3
)

// readArguments copies the program's arguments to kernarg, which is zero. work has space for a pointer per argument.
func (f *function) readArguments(kernarg, work []byte, l *driver.Launch) error {
	switch {
	case l.Params != 0 && l.Extra != 0:
		return fmt.Errorf("arguments are given twice, as params and as extra")
	case l.Params != 0:
		return f.readParams(kernarg, work, l.Params)
	case l.Extra != 0:
		return f.readExtra(kernarg, work, l.Extra)
	case len(f.explicit) > 0:
		return fmt.Errorf("kernel %s takes %s and got none (params is null)", f.name, count.Of(len(f.explicit), "argument"))
	}
	return nil
}

func (f *function) readParams(kernarg, work []byte, params uintptr) error {
	n := len(f.explicit)
	if n == 0 {
		return nil
	}
	if err := hostmem.Read(work[:8*n], params); err != nil {
		return fmt.Errorf("params of kernel %s, which takes %s: %w", f.name, count.Of(n, "argument"), err)
	}
	for i := range f.explicit {
		a := &f.explicit[i]
		from := uintptr(binary.LittleEndian.Uint64(work[8*i:]))
		if err := hostmem.Read(kernarg[a.Offset:a.Offset+a.Size], from); err != nil {
			return fmt.Errorf("argument %d of kernel %s: %w", i, f.name, err)
		}
	}
	return nil
}

func (f *function) readExtra(kernarg, work []byte, extra uintptr) error {
	var from, size uintptr
	for range 16 {
		if err := hostmem.Read(work[:8], extra); err != nil {
			return fmt.Errorf("extra of kernel %s: %w", f.name, err)
		}
		tag := binary.LittleEndian.Uint64(work)
		if tag == extraEnd || tag == 0 {
			break
		}
		if err := hostmem.Read(work[:8], extra+8); err != nil {
			return fmt.Errorf("extra of kernel %s: %w", f.name, err)
		}
		value := uintptr(binary.LittleEndian.Uint64(work))
		switch tag {
		case extraPointer:
			from = value
		case extraSize:
			n, err := hostmem.ReadUint64(value)
			if err != nil {
				return fmt.Errorf("size in extra of kernel %s: %w", f.name, err)
			}
			size = uintptr(n)
		default:
			return fmt.Errorf("extra of kernel %s: %#x is not a tag", f.name, tag)
		}
		extra += 16
	}
	if uint64(size) < uint64(f.explicitEnd) || uint64(size) > uint64(f.kernarg) {
		return fmt.Errorf("extra of kernel %s: %s of arguments where it takes %d", f.name, count.Of(size, "byte"), f.explicitEnd)
	}
	if err := hostmem.Read(kernarg[:f.explicitEnd], from); err != nil {
		return fmt.Errorf("arguments of kernel %s in extra: %w", f.name, err)
	}
	return nil
}

var _ driver.ParamLayouter = (*Driver)(nil)

// FunctionParams implements driver.ParamLayouter.
func (d *Driver) FunctionParams(h driver.Function, _ []byte, name string) ([]driver.Param, error) {
	f := d.functions.get(uintptr(h))
	if f == nil {
		return nil, invalidHandle.of("FunctionParams("+name+")", "no function has the handle %#x", uintptr(h))
	}
	params := make([]driver.Param, len(f.explicit))
	for i, a := range f.explicit {
		params[i] = driver.Param{Offset: a.Offset, Size: a.Size}
	}
	return params, nil
}
