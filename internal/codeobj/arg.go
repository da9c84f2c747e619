package codeobj

// ValueKind says what a kernel argument holds and who supplies it.
type ValueKind uint8

const (
	UnknownValue ValueKind = iota // a kind without a name in this package: see Arg.KindName
	ByValue
	GlobalBuffer
	DynamicSharedPointer
	Sampler
	Image
	Pipe
	Queue
	// The runtime supplies these arguments, not the program.
	HiddenNone
	HiddenGlobalOffsetX
	HiddenGlobalOffsetY
	HiddenGlobalOffsetZ
	HiddenPrintfBuffer
	HiddenHostcallBuffer
	HiddenDefaultQueue
	HiddenCompletionAction
	HiddenMultigridSyncArg
	HiddenHeapV1
	HiddenBlockCountX
	HiddenBlockCountY
	HiddenBlockCountZ
	HiddenGroupSizeX
	HiddenGroupSizeY
	HiddenGroupSizeZ
	HiddenRemainderX
	HiddenRemainderY
	HiddenRemainderZ
	HiddenGridDims
	HiddenDynamicLDSSize
	HiddenPrivateBase
	HiddenSharedBase
	HiddenQueuePtr
)

var valueKindNames = [...]string{
	UnknownValue:           "unknown",
	ByValue:                "by_value",
	GlobalBuffer:           "global_buffer",
	DynamicSharedPointer:   "dynamic_shared_pointer",
	Sampler:                "sampler",
	Image:                  "image",
	Pipe:                   "pipe",
	Queue:                  "queue",
	HiddenNone:             "hidden_none",
	HiddenGlobalOffsetX:    "hidden_global_offset_x",
	HiddenGlobalOffsetY:    "hidden_global_offset_y",
	HiddenGlobalOffsetZ:    "hidden_global_offset_z",
	HiddenPrintfBuffer:     "hidden_printf_buffer",
	HiddenHostcallBuffer:   "hidden_hostcall_buffer",
	HiddenDefaultQueue:     "hidden_default_queue",
	HiddenCompletionAction: "hidden_completion_action",
	HiddenMultigridSyncArg: "hidden_multigrid_sync_arg",
	HiddenHeapV1:           "hidden_heap_v1",
	HiddenBlockCountX:      "hidden_block_count_x",
	HiddenBlockCountY:      "hidden_block_count_y",
	HiddenBlockCountZ:      "hidden_block_count_z",
	HiddenGroupSizeX:       "hidden_group_size_x",
	HiddenGroupSizeY:       "hidden_group_size_y",
	HiddenGroupSizeZ:       "hidden_group_size_z",
	HiddenRemainderX:       "hidden_remainder_x",
	HiddenRemainderY:       "hidden_remainder_y",
	HiddenRemainderZ:       "hidden_remainder_z",
	HiddenGridDims:         "hidden_grid_dims",
	HiddenDynamicLDSSize:   "hidden_dynamic_lds_size",
	HiddenPrivateBase:      "hidden_private_base",
	HiddenSharedBase:       "hidden_shared_base",
	HiddenQueuePtr:         "hidden_queue_ptr",
}

var valueKinds = func() map[string]ValueKind {
	m := make(map[string]ValueKind, len(valueKindNames))
	for k, name := range valueKindNames[1:] {
		m[name] = ValueKind(k + 1)
	}
	return m
}()

// String returns the kind's name in metadata.
func (k ValueKind) String() string {
	if int(k) < len(valueKindNames) {
		return valueKindNames[k]
	}
	return valueKindNames[UnknownValue]
}

// Hidden reports whether the runtime supplies the argument. For unknown kinds see [Arg.Hidden].
func (k ValueKind) Hidden() bool { return k >= HiddenNone }

// Arg is one kernel argument. Arguments have the order of the kernel's signature, with the hidden ones last.
type Arg struct {
	Name         string // empty if the compiler has dropped it
	Offset, Size uint32 // bytes, in the kernarg segment
	Kind         ValueKind
	KindName     string // as in the metadata
}

// Hidden reports whether the runtime supplies the argument, according to the name of its kind.
func (a *Arg) Hidden() bool {
	const prefix = "hidden_"
	return len(a.KindName) >= len(prefix) && a.KindName[:len(prefix)] == prefix
}

// Arguments returns the arguments that a launch of an image's kernel passes, from the first code object that has the
// kernel. ok is false if no code object has the kernel, or the image can't be read.
func Arguments(kind Kind, image []byte, kernel string) (args []Arg, ok bool) {
	eachObject(kind, image, func(o *Object) {
		for i := range o.Kernels {
			if ok || o.Kernels[i].Name != kernel {
				continue
			}
			ok = true
			for _, a := range o.Kernels[i].Args {
				if !a.Hidden() {
					args = append(args, a)
				}
			}
		}
	})
	return args, ok
}
