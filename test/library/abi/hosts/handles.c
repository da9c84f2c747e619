/* Every function with handles that are null, wild, of another kind, destroyed. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

static void bad(const char *what, void *h) {
  char name[80];
  int n = snprintf(name, sizeof name, "%s: ", what);
  char *call = name + n;
  size_t room = sizeof name - n;
#define NAMED(text) (snprintf(call, room, "%s", text), name)
  static uint32_t word;
  void *s = mgpuStreamCreate(), *e = mgpuEventCreate();
  if (h != NULL) { /* null is the default stream, or nothing to free */
    VOID_CASE(NAMED("StreamSynchronize"), mgpuStreamSynchronize(h));
    VOID_CASE(NAMED("StreamWaitEvent stream"), mgpuStreamWaitEvent(h, e));
    VOID_CASE(NAMED("EventRecord stream"), mgpuEventRecord(e, h));
    VOID_CASE(NAMED("Memset32 stream"), mgpuMemset32(&word, 1, 1, h));
    VOID_CASE(NAMED("Memset16 stream"), mgpuMemset16(&word, 1, 1, h));
    VOID_CASE(NAMED("Memcpy stream"), mgpuMemcpy(&word, &word, 4, h));
    VOID_CASE(NAMED("MemFree"), mgpuMemFree(h, NULL));
    CASE(NAMED("Scratch stream"), mgpuxScratch(&word, 64, h));
    CASE(NAMED("Scratch stream, nothing new"), mgpuxScratch(&word, 0, h));
  }
  VOID_CASE(NAMED("StreamDestroy"), mgpuStreamDestroy(h));
  VOID_CASE(NAMED("StreamWaitEvent event"), mgpuStreamWaitEvent(s, h));
  VOID_CASE(NAMED("EventSynchronize"), mgpuEventSynchronize(h));
  VOID_CASE(NAMED("EventRecord event"), mgpuEventRecord(h, s));
  VOID_CASE(NAMED("EventDestroy"), mgpuEventDestroy(h));
  VOID_CASE(NAMED("ModuleUnload"), mgpuModuleUnload(h));
  CASE(NAMED("ModuleGetFunction"), mgpuModuleGetFunction(h, "sizes"));
  VOID_CASE(NAMED("LaunchKernel"),
            mgpuLaunchKernel(h, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL, 0));
  VOID_CASE(
      NAMED("LaunchClusterKernel"),
      mgpuLaunchClusterKernel(h, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, s, NULL, NULL));
  VOID_CASE(NAMED("LaunchKernelCooperative"),
            mgpuLaunchKernelCooperative(h, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, s,
                                        NULL, NULL));
  VOID_CASE(NAMED("Memset32"), mgpuMemset32(h, 1, 4, s);
            mgpuStreamSynchronize(s));
  VOID_CASE(NAMED("Memset16"), mgpuMemset16(h, 1, 4, s);
            mgpuStreamSynchronize(s));
  VOID_CASE(NAMED("Memcpy destination"), mgpuMemcpy(h, &word, 4, s);
            mgpuStreamSynchronize(s));
  VOID_CASE(NAMED("Memcpy source"), mgpuMemcpy(&word, h, 4, s);
            mgpuStreamSynchronize(s));
  VOID_CASE(NAMED("MemHostRegister"), mgpuMemHostRegister(h, 64));
  VOID_CASE(NAMED("MemHostUnregister"), mgpuMemHostUnregister(h));
  VOID_CASE(NAMED("MemHostRegisterMemRef"), mgpuMemHostRegisterMemRef(1, h, 4));
  VOID_CASE(NAMED("MemHostUnregisterMemRef"),
            mgpuMemHostUnregisterMemRef(1, h, 4));
  CASE(NAMED("MemGetDeviceMemRef1dFloat"),
       mgpuMemGetDeviceMemRef1dFloat(h, h, 0, 1, 1).aligned);
  CASE(NAMED("MemGetDeviceMemRef1dInt32"),
       mgpuMemGetDeviceMemRef1dInt32(h, h, 0, 1, 1).aligned);
  VOID_CASE(NAMED("TensorMapEncodeTiled"),
            mgpuTensorMapEncodeTiled(h, 7, 1, h, h, h, h, h, 0, 0, 0, 0));
  CASE(NAMED("TensorMapEncodeTiledMemref"),
       mgpuTensorMapEncodeTiledMemref(1, h, 7, 0, 0, 0, 0, h));
  CASE(NAMED("ModuleLoadJIT"), mgpuModuleLoadJIT(h, 2, 7));
  CASE(NAMED("ModuleLoad"), mgpuModuleLoad(h, 7));
  mgpuEventDestroy(e);
  mgpuStreamDestroy(s);
}

/* What was destroyed: reported once for each handle, harmless always. */
static void destroyed(void) {
  void *s[3], *e[3];
  for (int i = 0; i < 3; i++) {
    s[i] = mgpuStreamCreate();
    e[i] = mgpuEventCreate();
  }
  void *m = mgpuModuleLoad(blob, 0);
  void *d = mgpuMemAlloc(64, NULL, 0);
  for (int i = 0; i < 3; i++) {
    mgpuStreamDestroy(s[i]);
    mgpuEventDestroy(e[i]);
  }
  mgpuModuleUnload(m);
  mgpuMemFree(d, NULL);
  VOID_CASE("destroyed: StreamDestroy", mgpuStreamDestroy(s[0]));
  VOID_CASE("destroyed: StreamSynchronize", mgpuStreamSynchronize(s[1]));
  CASE("destroyed: Scratch", mgpuxScratch(s, 64, s[2]));
  VOID_CASE("destroyed: EventDestroy", mgpuEventDestroy(e[0]));
  VOID_CASE("destroyed: EventRecord", mgpuEventRecord(e[1], NULL));
  VOID_CASE("destroyed: ModuleUnload", mgpuModuleUnload(m));
  VOID_CASE("destroyed: MemFree", mgpuMemFree(d, NULL));
}

int main(void) {
  valid();
  bad("null", NULL);
  bad("one", (void *)1);
  bad("wild", (void *)0xdeadbeefdeadbee8);
  bad("unmapped", unmapped());
  destroyed();
  VOID_CASE("device: minus one", mgpuSetDefaultDevice(-1));
  VOID_CASE("device: too large", mgpuSetDefaultDevice(1 << 30));
  int64_t hostile[] = {1, 2, 3, INT64_MAX, INT64_MAX, 1, 1};
  VOID_CASE("memref: negative rank", mgpuMemHostRegisterMemRef(-1, hostile, 4));
  VOID_CASE("memref: huge rank",
            mgpuMemHostRegisterMemRef(INT64_MAX, hostile, 4));
  VOID_CASE("memref: size overflows", mgpuMemHostRegisterMemRef(2, hostile, 4));
  VOID_CASE("memref: no element size",
            mgpuMemHostRegisterMemRef(1, hostile, 0));
  int64_t far[] = {(intptr_t)hostile, (intptr_t)hostile, 1LL << 62, 1, 1};
  VOID_CASE("memref: offset overflows", mgpuMemHostRegisterMemRef(1, far, 4));
  CASE("memory: more than exists", mgpuMemAlloc(UINT64_MAX / 2, NULL, 0));
  CASE("memory: all of it", mgpuMemAlloc(UINT64_MAX, NULL, 1));
  VOID_CASE("register: more than there is",
            mgpuMemHostRegister(hostile, UINT64_MAX / 2));
}
