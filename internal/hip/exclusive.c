#define _GNU_SOURCE
#include "exclusive.h"

#include <pthread.h>

/* The library's functions, which are the same for the whole process: it has one HIP library. */
static table library;

/* Plain launches lock it shared. A waiting launch of a graph goes before later plain
 * launches. */
static pthread_rwlock_t launches =
    PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;

#define WRAPPED(lock, name, parameters, arguments)                             \
  static hip_status name parameters {                                          \
    pthread_rwlock_##lock(&launches);                                          \
    hip_status status = library.name arguments;                                \
    pthread_rwlock_unlock(&launches);                                          \
    return status;                                                             \
  }

WRAPPED(rdlock, hipModuleLaunchKernel,
        (hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
         unsigned by, unsigned bz, unsigned shared, hipStream_t s,
         void **params, void **extra),
        (f, gx, gy, gz, bx, by, bz, shared, s, params, extra))
WRAPPED(rdlock, hipModuleLaunchCooperativeKernel,
        (hipFunction_t f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
         unsigned by, unsigned bz, unsigned shared, hipStream_t s,
         void **params),
        (f, gx, gy, gz, bx, by, bz, shared, s, params))
WRAPPED(rdlock, hipDrvLaunchKernelEx,
        (const HIP_LAUNCH_CONFIG *config, hipFunction_t f, void **params,
         void **extra),
        (config, f, params, extra))
WRAPPED(wrlock, hipGraphAddKernelNode,
        (hipGraphNode_t * node, hipGraph_t graph, const hipGraphNode_t *after,
         size_t count, const hipKernelNodeParams *params),
        (node, graph, after, count, params))
WRAPPED(wrlock, hipGraphInstantiateWithFlags,
        (hipGraphExec_t * exec, hipGraph_t graph, unsigned long long flags),
        (exec, graph, flags))
WRAPPED(wrlock, hipGraphExecKernelNodeSetParams,
        (hipGraphExec_t exec, hipGraphNode_t node,
         const hipKernelNodeParams *params),
        (exec, node, params))
WRAPPED(wrlock, hipGraphLaunch, (hipGraphExec_t exec, hipStream_t s), (exec, s))

void hip_exclude_graphs(table *t) {
  if (t->hipGraphLaunch == hipGraphLaunch)
    return;
  library = *t;
  t->hipModuleLaunchKernel = hipModuleLaunchKernel;
  t->hipModuleLaunchCooperativeKernel = hipModuleLaunchCooperativeKernel;
  t->hipDrvLaunchKernelEx = hipDrvLaunchKernelEx;
  t->hipGraphAddKernelNode = hipGraphAddKernelNode;
  t->hipGraphInstantiateWithFlags = hipGraphInstantiateWithFlags;
  t->hipGraphExecKernelNodeSetParams = hipGraphExecKernelNodeSetParams;
  t->hipGraphLaunch = hipGraphLaunch;
}
