package driver

// Power is an interface that not every driver implements. [Driver] and the powers together are the contract between the
// runtime and a driver.
type Power struct {
	Name    string           // of the interface
	In      func(d any) bool // reports whether a driver implements it
	Drivers string           // the drivers that implement it
	Without string           // what the runtime does if a driver does not implement it
}

// Powers lists all powers. If releases of a library differ, a driver has the power if one of the releases has it, and
// looks for the function in the library: calls fail with NotSupported, or a method of the power reports false, as
// Resetter.Resets does. Only defects of a release, which no function shows, are decided by its version.
var Powers = []Power{
	{"CCaller", has[CCaller], "hip cuda null", "every launch, copy and wait enters Go, and no launch goes by a one-node graph"},
	{"CallCounter", has[CallCounter], "soft", "the driver's messages name no call"},
	{"Capturer", has[Capturer], "hip cuda", "no stream counts as captured"},
	{"ClusterLauncher", has[ClusterLauncher], "hip cuda", "mgpuLaunchClusterKernel fails with NotSupported"},
	{"CooperativeLauncher", has[CooperativeLauncher], "hip cuda soft", "mgpuLaunchKernelCooperative fails with NotSupported"},
	{"DefaultStreamOrderer", has[DefaultStreamOrderer], "hip soft", "what follows a free waits for events on the default stream, and that stream for events on others"},
	{"DeviceSynchronizer", has[DeviceSynchronizer], "hip cuda soft null", "a free that has to wait for the device is the driver's, and a reuse that has to wait fails"},
	{"DeviceWaiter", has[DeviceWaiter], "hip cuda null", "Go waits for the device by DeviceSynchronizer"},
	{"ErrorNamer", has[ErrorNamer], "hip cuda soft", "errors that the runtime finds have no name of the vendor's"},
	{"EventTimer", has[EventTimer], "hip cuda", "MGPU_TRACE_GPU=events shows bounds of work instead of its times"},
	{"Extenter", has[Extenter], "hip cuda", "the runtime does not find out that the program frees memory by the vendor's API"},
	{"Grapher", has[Grapher], "hip cuda soft null", "regions issue their calls one by one, and launches are plain"},
	{"JIT", has[JIT], "cuda", "mgpuModuleLoadJIT fails with NotSupported"},
	{"KernelTimer", has[KernelTimer], "soft", "statistics have no times of kernels, but with MGPU_TRACE_GPU=events"},
	{"MemInformer", has[MemInformer], "hip cuda soft null", "MGPU_MEM_LIMIT=50% is 50 % of 8 GiB"},
	{"MemoryChecker", has[MemoryChecker], "soft", "blocks are rounded to classes and reused"},
	{"ModuleAsker", has[ModuleAsker], "hip cuda", "cached modules count as loaded until the library unloads them"},
	{"ModulePreparer", has[ModulePreparer], "soft", "the cache reads an image to see whether it can be shared, and the driver reads it again"},
	{"ParamLayouter", has[ParamLayouter], "hip cuda soft null", "launches are not recorded into graphs"},
	{"Placer", has[Placer], "hip cuda soft", "copies are not recorded into graphs, and addresses of copies are not looked up"},
	{"Profiler", has[Profiler], "soft", "statistics count launches, and not what kernels do"},
	{"Resetter", has[Resetter], "hip cuda", "no device counts as reset"},
	{"SiteTeller", has[SiteTeller], "soft", "the driver's messages do not say where memory was allocated"},
	{"TensorMapper", has[TensorMapper], "cuda", "mgpuTensorMapEncodeTiledMemref fails with NotSupported"},
	{"UncheckedStreams", has[UncheckedStreams], "cuda", "the runtime asks about any stream that it made, since the driver finds out whether the stream exists"},
	{"Waiter", has[Waiter], "hip cuda null", "Go makes the calls that block"},
}

func has[P any](d any) bool {
	_, ok := d.(P)
	return ok
}
