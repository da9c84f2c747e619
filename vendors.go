package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/dl"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/internal/process"
	"github.com/mgpu-runtime/mgpu/mgpu"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// cudaName is how names of this library begin that programs for NVIDIA GPUs
// load it by.
const cudaName = "libmlir_cuda_runtime.so"

// inOrder puts cuda before hip where the library was loaded under the name of
// MLIR's runtime for CUDA.
func inOrder(drivers []mgpu.Opener, loadedAs string) []mgpu.Opener {
	if !strings.HasPrefix(filepath.Base(loadedAs), cudaName) {
		return drivers
	}
	var first, rest []mgpu.Opener
	for _, o := range drivers {
		if o.Name == "cuda" {
			first = append(first, o)
		} else {
			rest = append(rest, o)
		}
	}
	return append(first, rest...)
}

// loadedAs is the path that this library was loaded by.
func loadedAs() string { return dl.Containing(process.WaitFunction()) }

// amdDevices are the kernel's ways to AMD GPUs: its own, and Windows' for WSL.
var amdDevices = []string{"/dev/kfd", "/dev/dxg"}

// openHIP opens the AMD GPUs. Where the kernel offers none, no library is opened
// unless somebody names one: that takes 15 ms and 6 MB to say no.
func openHIP() (driver.Driver, error) {
	named := process.Getenv("MGPU_HIP_LIBRARY") != "" || process.Getenv("MGPU_DRIVER") == "hip"
	if !named && !slices.ContainsFunc(amdDevices, exists) {
		return nil, fmt.Errorf("no %s: no AMD GPU, or no amdgpu kernel driver, here", amdDevices[0])
	}
	d, err := hip.Open(process.Getenv("MGPU_HIP_LIBRARY"))
	if err != nil {
		return nil, err
	}
	return d, nil
}

func exists(path string) bool { return syscall.Access(path, 0) == nil }

// openCUDA opens the NVIDIA GPUs.
func openCUDA() (driver.Driver, error) {
	d, err := cuda.Open(process.Getenv("MGPU_CUDA_LIBRARY"))
	if err != nil {
		return nil, err
	}
	return d, nil
}
