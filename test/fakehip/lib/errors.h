/* E(name, value, text): HIP's errors, as hipGetErrorName and hipGetErrorString tell them. */
E(hipSuccess, 0, "no error")
E(hipErrorInvalidValue, 1, "invalid argument")
E(hipErrorOutOfMemory, 2, "out of memory")
E(hipErrorNotInitialized, 3, "initialization error")
E(hipErrorDeinitialized, 4, "driver shutting down")
E(hipErrorInvalidConfiguration, 9, "invalid configuration argument")
E(hipErrorInvalidDevicePointer, 17, "invalid device pointer")
E(hipErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")
E(hipErrorInsufficientDriver, 35,
  "driver version is insufficient for runtime version")
E(hipErrorInvalidDeviceFunction, 98, "invalid device function")
E(hipErrorNoDevice, 100, "no ROCm-capable device is detected")
E(hipErrorInvalidDevice, 101, "invalid device ordinal")
E(hipErrorInvalidImage, 200, "device kernel image is invalid")
E(hipErrorInvalidContext, 201, "invalid device context")
E(hipErrorNoBinaryForGpu, 209,
  "no kernel image is available for execution on the device")
E(hipErrorECCNotCorrectable, 214, "uncorrectable ECC error encountered")
E(hipErrorFileNotFound, 301, "file not found")
E(hipErrorSharedObjectInitFailed, 303, "shared object initialization failed")
E(hipErrorOperatingSystem, 304,
  "OS call failed or operation not supported on this OS")
E(hipErrorInvalidHandle, 400, "invalid resource handle")
E(hipErrorIllegalState, 401,
  "the operation cannot be performed in the present state")
E(hipErrorNotFound, 500, "named symbol not found")
E(hipErrorNotReady, 600, "device not ready")
E(hipErrorIllegalAddress, 700, "an illegal memory access was encountered")
E(hipErrorLaunchOutOfResources, 701, "too many resources requested for launch")
E(hipErrorLaunchTimeOut, 702, "the launch timed out and was terminated")
E(hipErrorContextIsDestroyed, 709, "context is destroyed")
E(hipErrorAssert, 710, "device-side assert triggered")
E(hipErrorHostMemoryAlreadyRegistered, 712,
  "part or all of the requested memory range is already mapped")
E(hipErrorHostMemoryNotRegistered, 713,
  "pointer does not correspond to a registered memory region")
E(hipErrorLaunchFailure, 719, "unspecified launch failure")
E(hipErrorCooperativeLaunchTooLarge, 720,
  "too many blocks in cooperative launch")
E(hipErrorNotSupported, 801, "operation not supported")
E(hipErrorStreamCaptureUnsupported, 900,
  "operation not permitted when stream is capturing")
E(hipErrorStreamCaptureInvalidated, 901,
  "operation failed due to a previous error during capture")
E(hipErrorStreamCaptureImplicit, 906,
  "operation would make the legacy stream depend on a capturing blocking "
  "stream")
E(hipErrorUnknown, 999, "unknown error")
