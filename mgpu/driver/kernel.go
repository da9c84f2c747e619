package driver

import "encoding/json"

// Dim3 has counts along x, y and z.
//
//mgpu:struct dim3
type Dim3 struct{ X, Y, Z uint32 }

// Launch describes one kernel launch. It is passed by value: a pointer passed to an interface method would cost an
// allocation per launch.
type Launch struct {
	Grid        Dim3    // workgroups
	Block       Dim3    // work-items in a workgroup
	SharedBytes uint32  // dynamic workgroup memory
	Stream      Stream  // zero: the null stream
	Params      uintptr // void **: one pointer per kernel argument, valid during the call only; may be zero
	Extra       uintptr // void **: HIP's and CUDA's packed form of the parameters; may be zero
}

// JIT is a driver that compiles a textual module (PTX) for the current device.
type JIT interface {
	// ModuleLoadJIT compiles source at optimization level opt (0 to 4).
	ModuleLoadJIT(source []byte, opt int) (Module, error)
}

// PreparedModule is an image that a driver has read and not loaded yet.
type PreparedModule struct {
	// Unshareable says why two loads of the image must not give one module; empty: they may.
	Unshareable string
	// Silent says that no kernel of the image prints or calls the host; false: some may.
	Silent bool
	// Load is ModuleLoad of the image without reading it again. It is called at most once.
	Load func() (Module, error)
}

// ModulePreparer is a driver that reads code objects itself.
type ModulePreparer interface {
	// PrepareModule reads an image, which must stay in place as for ModuleLoad. Load returns the errors of the image.
	PrepareModule(image []byte) PreparedModule
}

// ModuleAsker is a driver whose library the program may also call directly.
type ModuleAsker interface {
	// ModuleHas reports whether the driver still has a module, by asking for one of its kernels; kernel is empty if
	// none is known. The module's device is current. If it can't tell, it returns true.
	ModuleHas(m Module, kernel string) bool
}

// ClusterLauncher is a driver that launches grids of workgroup clusters.
type ClusterLauncher interface {
	LaunchCluster(f Function, cluster Dim3, l Launch) error // cluster counts workgroups
}

// CooperativeLauncher is a driver that launches grids whose workgroups are all resident at once. A zero cluster means
// no clusters.
type CooperativeLauncher interface {
	LaunchCooperative(f Function, cluster Dim3, l Launch) error
}

// Param is the place of a parameter in a kernel's argument buffer, in bytes.
//
//mgpu:struct param
type Param struct{ Offset, Size uint32 }

// Profiler is a driver that knows what kernels did. It makes no call of a device, and may be asked at any time.
type Profiler interface {
	// Profile returns a text, empty where nothing was asked for, and a JSON object for each kernel.
	Profile() (text string, kernels []json.RawMessage)
}

// KernelTimer is a driver that knows how long launches took on the device.
type KernelTimer interface {
	// TimeKernels sets the function that is called, on any thread, for each launch that ends from now on.
	TimeKernels(took func(f Function, ns uint64))
}

// ParamLayouter is a driver that knows the layout of kernels' parameters.
type ParamLayouter interface {
	// FunctionParams returns, in order, the parameters that a launch of f passes. f is the kernel called name in the
	// code object image.
	FunctionParams(f Function, image []byte, name string) ([]Param, error)
}
