/* Streams and events. Streams that are not told otherwise are ordered with the null stream, in HIP as in CUDA. */
#include "../lib/real.h"
#include "libcuda.h"

hipError_t real_hipStreamCreateWithFlags(hipStream_t *out, unsigned flags) {
  CUstream s = NULL;
  if (!out || (flags != hipStreamDefault && flags != hipStreamNonBlocking))
    return hipErrorInvalidValue;
  hipError_t e = created(live_stream, CUDA(cuStreamCreate, &s, flags));
  if (e == hipSuccess)
    *out = (hipStream_t)s;
  return e;
}

hipError_t real_hipStreamCreate(hipStream_t *out) {
  return real_hipStreamCreateWithFlags(out, hipStreamDefault);
}

hipError_t real_hipStreamDestroy(hipStream_t s) {
  return s ? destroyed(live_stream, CUDA(cuStreamDestroy_v2, (CUstream)s))
           : hipErrorInvalidHandle;
}

void forgive_hipStreamDestroy(hipStream_t s) {
  if (s)
    forgive(live_stream);
}

hipError_t real_hipStreamSynchronize(hipStream_t s) {
  return CUDA(cuStreamSynchronize, (CUstream)s);
}
hipError_t real_hipStreamQuery(hipStream_t s) {
  return CUDA(cuStreamQuery, (CUstream)s);
}

hipError_t real_hipStreamWaitEvent(hipStream_t s, hipEvent_t e,
                                   unsigned flags) {
  if (flags)
    return hipErrorInvalidValue;
  return e ? CUDA(cuStreamWaitEvent, (CUstream)s, (CUevent)e, 0)
           : hipErrorInvalidHandle;
}

hipError_t real_hipEventCreateWithFlags(hipEvent_t *out, unsigned flags) {
  CUevent event = NULL;
  if (!out)
    return hipErrorInvalidValue;
  hipError_t e = created(live_event, CUDA(cuEventCreate, &event, flags & 7));
  if (e == hipSuccess)
    *out = (hipEvent_t)event;
  return e;
}

hipError_t real_hipEventCreate(hipEvent_t *out) {
  return real_hipEventCreateWithFlags(out, 0);
}

hipError_t real_hipEventDestroy(hipEvent_t e) {
  return e ? destroyed(live_event, CUDA(cuEventDestroy_v2, (CUevent)e))
           : hipErrorInvalidHandle;
}

void forgive_hipEventDestroy(hipEvent_t e) {
  if (e)
    forgive(live_event);
}

hipError_t real_hipEventRecord(hipEvent_t e, hipStream_t s) {
  return e ? CUDA(cuEventRecord, (CUevent)e, (CUstream)s)
           : hipErrorInvalidHandle;
}
hipError_t real_hipEventSynchronize(hipEvent_t e) {
  return e ? CUDA(cuEventSynchronize, (CUevent)e) : hipErrorInvalidHandle;
}
hipError_t real_hipEventQuery(hipEvent_t e) {
  return e ? CUDA(cuEventQuery, (CUevent)e) : hipErrorInvalidHandle;
}

hipError_t real_hipStreamGetFlags(hipStream_t s, unsigned *flags) {
  return flags ? CUDA(cuStreamGetFlags, (CUstream)s, flags)
               : hipErrorInvalidValue;
}
