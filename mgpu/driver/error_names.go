package driver

// ErrorNamer is a driver that has names for failures. The runtime reports failures that it finds itself under the same
// names.
type ErrorNamer interface {
	ErrorName(Code) string
}

// ErrorNames are one vendor's names of failures.
type ErrorNames [len(codeNames)]string

// HIPErrors are HIP's names, CUDAErrors those of CUDA's driver.
var (
	HIPErrors = ErrorNames{
		Unknown:       "hipErrorUnknown",
		InvalidValue:  "hipErrorInvalidValue",
		InvalidHandle: "hipErrorInvalidHandle",
		InvalidDevice: "hipErrorInvalidDevice",
		InvalidImage:  "hipErrorInvalidImage",
		WrongArch:     "hipErrorNoBinaryForGpu",
		NotFound:      "hipErrorNotFound",
		NotSupported:  "hipErrorNotSupported",
		NotReady:      "hipErrorNotReady",
		OutOfMemory:   "hipErrorOutOfMemory",
		NoDevice:      "hipErrorNoDevice",
		LaunchFailure: "hipErrorLaunchFailure",
	}
	CUDAErrors = ErrorNames{
		Unknown:       "CUDA_ERROR_UNKNOWN",
		InvalidValue:  "CUDA_ERROR_INVALID_VALUE",
		InvalidHandle: "CUDA_ERROR_INVALID_HANDLE",
		InvalidDevice: "CUDA_ERROR_INVALID_DEVICE",
		InvalidImage:  "CUDA_ERROR_INVALID_IMAGE",
		WrongArch:     "CUDA_ERROR_NO_BINARY_FOR_GPU",
		NotFound:      "CUDA_ERROR_NOT_FOUND",
		NotSupported:  "CUDA_ERROR_NOT_SUPPORTED",
		NotReady:      "CUDA_ERROR_NOT_READY",
		OutOfMemory:   "CUDA_ERROR_OUT_OF_MEMORY",
		NoDevice:      "CUDA_ERROR_NO_DEVICE",
		LaunchFailure: "CUDA_ERROR_LAUNCH_FAILED",
	}
)

// ErrorName returns the driver's name of a failure.
func (n *ErrorNames) ErrorName(c Code) string { return n[c] }
