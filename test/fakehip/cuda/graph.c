/* Graphs: HIP's calls are libcuda's, but for what describes nodes. */
#include "../lib/real.h"
#include "libcuda.h"

enum { unified = 4, invalid_value = 1 };

struct kernel_node {
  CUfunction function;
  unsigned grid[3], block[3], shared;
  void **params, **extra, *kernel;
  CUcontext context;
};

struct copy_side {
  size_t x, y, z, level;
  unsigned type;
  void *host;
  CUdeviceptr device;
  void *array, *reserved;
  size_t pitch, height;
};

struct copy_node {
  struct copy_side from, to;
  size_t width, height, depth;
};

struct fill_node {
  CUdeviceptr dst;
  size_t pitch;
  unsigned value, size;
  size_t width, height;
};

static CUcontext context(void) {
  CUcontext c = NULL;
  if (cuda_enter() == hipSuccess)
    (void)cuda.cuCtxGetCurrent(&c);
  return c;
}

static struct kernel_node kernel_node(const hipKernelNodeParams *p) {
  return (struct kernel_node){p->func,
                              {p->gridDim.x, p->gridDim.y, p->gridDim.z},
                              {p->blockDim.x, p->blockDim.y, p->blockDim.z},
                              p->sharedMemBytes,
                              p->kernelParams,
                              p->extra,
                              NULL,
                              NULL};
}

static struct copy_node copy_node(void *dst, const void *src, size_t bytes) {
  return (struct copy_node){
      .from = {.type = unified, .device = (CUdeviceptr)(uintptr_t)src},
      .to = {.type = unified, .device = (CUdeviceptr)(uintptr_t)dst},
      .width = bytes,
      .height = 1,
      .depth = 1};
}

static struct fill_node fill_node(const hipMemsetParams *p) {
  return (struct fill_node){(CUdeviceptr)(uintptr_t)p->dst,
                            p->pitch,
                            p->value,
                            p->elementSize,
                            p->width,
                            p->height};
}

hipError_t real_hipGraphCreate(hipGraph_t *out, unsigned flags) {
  return out ? CUDA(cuGraphCreate, (CUgraph *)out, flags)
             : hipErrorInvalidValue;
}

hipError_t real_hipGraphDestroy(hipGraph_t g) {
  return g ? CUDA(cuGraphDestroy, (CUgraph)g) : hipErrorInvalidValue;
}
void forgive_hipGraphDestroy(hipGraph_t g) { (void)g; }

hipError_t real_hipGraphAddKernelNode(hipGraphNode_t *out, hipGraph_t g,
                                      const hipGraphNode_t *after, size_t n,
                                      const hipKernelNodeParams *does) {
  if (!out || !g || !does)
    return hipErrorInvalidValue;
  struct kernel_node node = kernel_node(does);
  return CUDA(cuGraphAddKernelNode_v2, (CUgraphNode *)out, (CUgraph)g,
              (const CUgraphNode *)after, n, (const void *)&node);
}

hipError_t real_hipGraphAddMemcpyNode1D(hipGraphNode_t *out, hipGraph_t g,
                                        const hipGraphNode_t *after, size_t n,
                                        void *dst, const void *src,
                                        size_t bytes, hipMemcpyKind kind) {
  if (!out || !g || kind > hipMemcpyDefault)
    return hipErrorInvalidValue;
  struct copy_node node = copy_node(dst, src, bytes);
  return CUDA(cuGraphAddMemcpyNode, (CUgraphNode *)out, (CUgraph)g,
              (const CUgraphNode *)after, n, (const void *)&node, context());
}

hipError_t real_hipGraphAddMemsetNode(hipGraphNode_t *out, hipGraph_t g,
                                      const hipGraphNode_t *after, size_t n,
                                      const hipMemsetParams *does) {
  if (!out || !g || !does)
    return hipErrorInvalidValue;
  struct fill_node node = fill_node(does);
  return CUDA(cuGraphAddMemsetNode, (CUgraphNode *)out, (CUgraph)g,
              (const CUgraphNode *)after, n, (const void *)&node, context());
}

hipError_t real_hipGraphAddEmptyNode(hipGraphNode_t *out, hipGraph_t g,
                                     const hipGraphNode_t *after, size_t n) {
  return out && g ? CUDA(cuGraphAddEmptyNode, (CUgraphNode *)out, (CUgraph)g,
                         (const CUgraphNode *)after, n)
                  : hipErrorInvalidValue;
}

hipError_t real_hipGraphInstantiateWithFlags(hipGraphExec_t *out, hipGraph_t g,
                                             unsigned long long flags) {
  return out && g ? CUDA(cuGraphInstantiateWithFlags, (CUgraphExec *)out,
                         (CUgraph)g, flags)
                  : hipErrorInvalidValue;
}

hipError_t real_hipGraphLaunch(hipGraphExec_t x, hipStream_t s) {
  return x ? CUDA(cuGraphLaunch, (CUgraphExec)x, (CUstream)s)
           : hipErrorInvalidValue;
}

hipError_t real_hipGraphExecDestroy(hipGraphExec_t x) {
  return x ? CUDA(cuGraphExecDestroy, (CUgraphExec)x) : hipErrorInvalidValue;
}
void forgive_hipGraphExecDestroy(hipGraphExec_t x) { (void)x; }

hipError_t
real_hipGraphExecKernelNodeSetParams(hipGraphExec_t x, hipGraphNode_t n,
                                     const hipKernelNodeParams *does) {
  if (!x || !n || !does)
    return hipErrorInvalidValue;
  struct kernel_node node = kernel_node(does);
  return CUDA(cuGraphExecKernelNodeSetParams_v2, (CUgraphExec)x, (CUgraphNode)n,
              (const void *)&node);
}

hipError_t real_hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t x,
                                                  hipGraphNode_t n, void *dst,
                                                  const void *src, size_t bytes,
                                                  hipMemcpyKind kind) {
  if (!x || !n || kind > hipMemcpyDefault)
    return hipErrorInvalidValue;
  struct copy_node node = copy_node(dst, src, bytes);
  return CUDA(cuGraphExecMemcpyNodeSetParams, (CUgraphExec)x, (CUgraphNode)n,
              (const void *)&node, context());
}

hipError_t real_hipGraphExecMemsetNodeSetParams(hipGraphExec_t x,
                                                hipGraphNode_t n,
                                                const hipMemsetParams *does) {
  if (!x || !n || !does)
    return hipErrorInvalidValue;
  struct fill_node node = fill_node(does);
  return CUDA(cuGraphExecMemsetNodeSetParams, (CUgraphExec)x, (CUgraphNode)n,
              (const void *)&node, context());
}

/* libcuda's attributes have HIP's numbers, and of HIP's older kinds of memory device memory is the only one that is not the
 * host's. hipRuntimeGetVersion tells libcuda's version, which HIP's users take for an old HIP. */
hipError_t real_hipPointerGetAttribute(void *value,
                                       hipPointer_attribute attribute,
                                       hipDeviceptr_t p) {
  unsigned got = 0;
  if (!value)
    return hipErrorInvalidValue;
  hipError_t e =
      CUDA(cuPointerGetAttribute, &got, attribute, (CUdeviceptr)(uintptr_t)p);
  if (e != hipSuccess)
    return e;
  if (attribute == HIP_POINTER_ATTRIBUTE_MEMORY_TYPE)
    *(unsigned *)value = got == 1 ? hipMemoryTypeHost : hipMemoryTypeDevice;
  else if (attribute == HIP_POINTER_ATTRIBUTE_IS_MANAGED)
    *(unsigned char *)value = got & 1;
  else if (attribute == HIP_POINTER_ATTRIBUTE_MAPPED)
    *(unsigned char *)value = got & 1;
  else
    return hipErrorInvalidValue;
  return hipSuccess;
}

hipError_t real_hipDrvPointerGetAttributes(unsigned n,
                                           hipPointer_attribute *attributes,
                                           void **values, hipDeviceptr_t p) {
  if (n == 0 || !attributes || !values || !p)
    return hipErrorInvalidValue;
  for (unsigned i = 0; i < n; i++)
    if (real_hipPointerGetAttribute(values[i], attributes[i], p) != hipSuccess)
      *(unsigned char *)values[i] = 0;
  return hipSuccess;
}

hipError_t real_hipStreamBeginCapture(hipStream_t s,
                                      hipStreamCaptureMode mode) {
  return CUDA(cuStreamBeginCapture_v2, (CUstream)s, mode);
}

hipError_t real_hipStreamEndCapture(hipStream_t s, hipGraph_t *graph) {
  return graph ? CUDA(cuStreamEndCapture, (CUstream)s, (CUgraph *)graph)
               : hipErrorInvalidValue;
}

hipError_t real_hipStreamIsCapturing(hipStream_t s,
                                     hipStreamCaptureStatus *status) {
  return status ? CUDA(cuStreamIsCapturing, (CUstream)s, status)
                : hipErrorInvalidValue;
}

hipError_t real_hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
  return mode ? CUDA(cuThreadExchangeStreamCaptureMode, mode)
              : hipErrorInvalidValue;
}
