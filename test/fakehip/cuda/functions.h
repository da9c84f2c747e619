/* The functions of libcuda that HIP over CUDA is made of: C(name, parameters), by the names that libcuda exports. */
C(cuInit, (unsigned))
C(cuDriverGetVersion, (int *))
C(cuDeviceGetCount, (int *))
C(cuDeviceGet, (CUdevice *, int))
C(cuDeviceGetName, (char *, int, CUdevice))
C(cuDeviceGetAttribute, (int *, unsigned, CUdevice))
C(cuDevicePrimaryCtxRetain, (CUcontext *, CUdevice))
C(cuCtxGetCurrent, (CUcontext *))
C(cuCtxSetCurrent, (CUcontext))
C(cuCtxSynchronize, (void))
C(cuDevicePrimaryCtxReset_v2, (CUdevice))

C(cuModuleLoadData, (CUmodule *, const void *))
C(cuModuleUnload, (CUmodule))
C(cuModuleGetFunction, (CUfunction *, CUmodule, const char *))
C(cuModuleGetGlobal_v2, (CUdeviceptr *, size_t *, CUmodule, const char *))
C(cuFuncSetAttribute, (CUfunction, unsigned, int))
C(cuLaunchKernel, (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned,
                   unsigned, unsigned, CUstream, void **, void **))
C(cuLaunchCooperativeKernel,
  (CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
   unsigned, CUstream, void **))

C(cuStreamCreate, (CUstream *, unsigned))
C(cuStreamDestroy_v2, (CUstream))
C(cuStreamSynchronize, (CUstream))
C(cuStreamQuery, (CUstream))
C(cuStreamGetFlags, (CUstream, unsigned *))
C(cuStreamWaitEvent, (CUstream, CUevent, unsigned))

C(cuEventCreate, (CUevent *, unsigned))
C(cuEventDestroy_v2, (CUevent))
C(cuEventRecord, (CUevent, CUstream))
C(cuEventSynchronize, (CUevent))
C(cuEventQuery, (CUevent))

C(cuMemGetInfo_v2, (size_t *, size_t *))
C(cuMemAlloc_v2, (CUdeviceptr *, size_t))
C(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned))
C(cuMemFree_v2, (CUdeviceptr))
C(cuMemGetAddressRange_v2, (CUdeviceptr *, size_t *, CUdeviceptr))
C(cuMemHostAlloc, (void **, size_t, unsigned))
C(cuMemFreeHost, (void *))
C(cuMemHostRegister_v2, (void *, size_t, unsigned))
C(cuMemHostUnregister, (void *))
C(cuMemHostGetDevicePointer_v2, (CUdeviceptr *, void *, unsigned))
C(cuIpcGetMemHandle, (CUipcMemHandle *, CUdeviceptr))
C(cuIpcOpenMemHandle_v2, (CUdeviceptr *, CUipcMemHandle, unsigned))
C(cuIpcCloseMemHandle, (CUdeviceptr))
C(cuMemcpyAsync, (CUdeviceptr, CUdeviceptr, size_t, CUstream))
C(cuMemsetD16Async, (CUdeviceptr, unsigned short, size_t, CUstream))
C(cuMemsetD32Async, (CUdeviceptr, unsigned, size_t, CUstream))

C(cuGraphCreate, (CUgraph *, unsigned))
C(cuGraphDestroy, (CUgraph))
C(cuGraphAddKernelNode_v2, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                            const CUDA_KERNEL_NODE_PARAMS *))
C(cuGraphAddMemcpyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                         const CUDA_MEMCPY3D *, CUcontext))
C(cuGraphAddMemsetNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                         const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
C(cuGraphAddEmptyNode, (CUgraphNode *, CUgraph, const CUgraphNode *, size_t))
C(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long))
C(cuGraphLaunch, (CUgraphExec, CUstream))
C(cuGraphExecDestroy, (CUgraphExec))
C(cuGraphExecKernelNodeSetParams_v2,
  (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))
C(cuGraphExecMemcpyNodeSetParams,
  (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext))
C(cuGraphExecMemsetNodeSetParams,
  (CUgraphExec, CUgraphNode, const CUDA_MEMSET_NODE_PARAMS *, CUcontext))
C(cuPointerGetAttribute, (void *, unsigned, CUdeviceptr))
C(cuStreamBeginCapture_v2, (CUstream, unsigned))
C(cuStreamEndCapture, (CUstream, CUgraph *))
C(cuStreamIsCapturing, (CUstream, unsigned *))
C(cuThreadExchangeStreamCaptureMode, (unsigned *))
