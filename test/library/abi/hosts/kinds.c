/* Handles of another kind, wherever a handle is asked for. */
#include "capture.h"

BLOB(blob, "v5.hsaco");

enum kind { stream, event, module, function, memory, kinds };
static const char *const names[] = {"stream", "event", "module", "function",
                                    "memory"};

/* One of each, and what takes them. */
static void *of[kinds], *params[2];
static uint32_t word;

static void *f1(void *h) { return mgpuModuleGetFunction(h, "sizes"); }
static void *f2(void *h) { return mgpuModuleUnload(h), NULL; }
static void *f3(void *h) { return mgpuStreamDestroy(h), NULL; }
static void *f4(void *h) { return mgpuStreamSynchronize(h), NULL; }
static void *f5(void *h) { return mgpuStreamWaitEvent(h, of[event]), NULL; }
static void *f6(void *h) { return mgpuStreamWaitEvent(of[stream], h), NULL; }
static void *f7(void *h) { return mgpuEventSynchronize(h), NULL; }
static void *f8(void *h) { return mgpuEventDestroy(h), NULL; }
static void *f9(void *h) { return mgpuEventRecord(h, of[stream]), NULL; }
static void *f10(void *h) { return mgpuEventRecord(of[event], h), NULL; }
static void *f11(void *h) { return mgpuMemFree(h, NULL), NULL; }
static void *f12(void *h) { return mgpuMemset32(of[memory], 1, 1, h), NULL; }
static void *f13(void *h) { return mgpuMemset16(of[memory], 1, 1, h), NULL; }
static void *f14(void *h) { return mgpuMemcpy(of[memory], &word, 4, h), NULL; }
static void *f15(void *h) { return mgpuMemHostUnregister(h), NULL; }
static void *launch(void *fn, void *s) {
  mgpuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, s, params, NULL, 2);
  return NULL;
}
static void *f16(void *h) { return launch(h, of[stream]); }
static void *f17(void *h) { return launch(of[function], h); }
static void *f18(void *h) {
  mgpuLaunchKernelCooperative(h, 1, 1, 1, 0, 0, 0, 1, 1, 1, 0, of[stream],
                              params, NULL);
  return NULL;
}
static void *f19(void *h) {
  mgpuMemset32(h, 1, 1, of[stream]);
  mgpuStreamSynchronize(of[stream]);
  return NULL;
}

static const struct {
  const char *name;
  void *(*call)(void *);
  unsigned takes; /* a bit per kind */
} uses[] = {
    {"ModuleGetFunction", f1, 1 << module},
    {"ModuleUnload", f2, 1 << module},
    {"StreamDestroy", f3, 1 << stream},
    {"StreamSynchronize", f4, 1 << stream},
    {"StreamWaitEvent stream", f5, 1 << stream},
    {"StreamWaitEvent event", f6, 1 << event | 1 << stream},
    {"EventSynchronize", f7, 1 << event | 1 << stream},
    {"EventDestroy", f8, 1 << event | 1 << stream},
    {"EventRecord event", f9, 1 << event},
    {"EventRecord stream", f10, 1 << stream},
    {"MemFree", f11, 1 << memory},
    {"Memset32 stream", f12, 1 << stream},
    {"Memset16 stream", f13, 1 << stream},
    {"Memcpy stream", f14, 1 << stream},
    {"MemHostUnregister", f15, 0},
    {"LaunchKernel", f16, 1 << function},
    {"LaunchKernel stream", f17, 1 << stream},
    {"LaunchKernelCooperative", f18, 1 << function},
    {"Memset32", f19, 1 << memory},
};

int main(void) {
  static char c = 1;
  static int32_t *y;
  valid();
  of[stream] = mgpuStreamCreate();
  of[event] = mgpuEventCreate();
  of[module] = mgpuModuleLoad(blob, 0);
  of[function] = mgpuModuleGetFunction(of[module], "sizes");
  y = of[memory] = mgpuMemAlloc(4096, NULL, 0);
  params[0] = &y;
  params[1] = &c;
  for (size_t u = 0; u < sizeof uses / sizeof *uses; u++)
    for (int k = 0; k < kinds; k++)
      if (!(uses[u].takes >> k & 1)) {
        char name[80];
        snprintf(name, sizeof name, "%s of a %s", uses[u].name, names[k]);
        CASE(name, uses[u].call(of[k]));
      }
  /* All of them are still what they were. */
  launch(of[function], of[stream]);
  mgpuEventRecord(of[event], of[stream]);
  mgpuEventSynchronize(of[event]);
  CASE("afterwards", mgpuModuleGetFunction(of[module], "sizes"));
  VOID_CASE("fine: given back", {
    mgpuEventDestroy(of[event]);
    mgpuStreamSynchronize(of[stream]);
    mgpuStreamDestroy(of[stream]);
    mgpuMemFree(of[memory], NULL);
    mgpuModuleUnload(of[module]);
  });
}
