//go:build cgo

package main

import (
	"github.com/mgpu-runtime/mgpu/internal/cuda"
	"github.com/mgpu-runtime/mgpu/internal/hip"
	"github.com/mgpu-runtime/mgpu/mgpu/driver"
)

// vendors returns openers of the drivers for AMD's and NVIDIA's libraries.
func vendors() []opener {
	return []opener{
		{"hip", func(get func(string) string) (driver.Driver, error) {
			return hip.Open(get("MGPU_HIP_LIBRARY"), func() []string { return hip.Installed(hip.Places, fromHere(get)) })
		}},
		{"cuda", func(get func(string) string) (driver.Driver, error) {
			return cuda.Open(get("MGPU_CUDA_LIBRARY"))
		}},
	}
}
