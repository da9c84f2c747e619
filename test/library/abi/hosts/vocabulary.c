/* Each way to get an error line, one a run: argv[1] names it. */
#include "capture.h"

BLOB(blob, "v5.hsaco");
BLOB(gfx1100, "gfx1100.hsaco");

static void *load(void *image) { return mgpuModuleLoad(image, 0); }

static void launch(void *f, int block, void *stream) {
  void *none[1] = {NULL};
  mgpuLaunchKernel(f, 1, 1, 1, block, 1, 1, 0, stream, none, NULL, 0);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  char memory[64];
  if (strcmp(what, "cascade") == 0)
    for (int i = 0; i < 3; i++) {
      void *m = load("\t.text\n\t.section .AMDGPU");
      void *f = mgpuModuleGetFunction(m, "sizes");
      launch(f, 64, mgpuStreamCreate());
      mgpuModuleUnload(m);
    }
  else if (strcmp(what, "assembly") == 0)
    load("\t.amdgcn_target \"amdgcn-amd-amdhsa--gfx906\"");
  else if (strcmp(what, "PTX") == 0)
    load("//\n// Generated\n.version 8.0\n.target sm_90\n");
  else if (strcmp(what, "bitcode") == 0)
    load("BC\xc0\xde\x35\x14\0");
  else if (strcmp(what, "SPIR-V") == 0)
    load("\x03\x02\x23\x07\0\0\1\0");
  else if (strcmp(what, "IR") == 0)
    load("; ModuleID = 'LLVMDialectModule'");
  else if (strcmp(what, "JIT") == 0)
    mgpuModuleLoadJIT(".version 8.0\n.target sm_90\n", 2, 0);
  else if (strcmp(what, "chip") == 0)
    load(gfx1100);
  else if (strcmp(what, "name") == 0)
    mgpuModuleGetFunction(load(blob), "missing");
  else if (strcmp(what, "block") == 0)
    launch(mgpuModuleGetFunction(load(blob), "sizes"), 1024, NULL);
  else if (strcmp(what, "empty") == 0)
    launch(mgpuModuleGetFunction(load(blob), "sizes"), 0, NULL);
  else if (strcmp(what, "negative") == 0)
    launch(mgpuModuleGetFunction(load(blob), "sizes"), -1, NULL);
  else if (strcmp(what, "stream") == 0) {
    void *s = mgpuStreamCreate();
    mgpuStreamDestroy(s);
    mgpuStreamSynchronize(s);
  } else if (strcmp(what, "event") == 0)
    mgpuStreamSynchronize(mgpuEventCreate());
  else if (strcmp(what, "module") == 0) {
    void *m = load(blob);
    mgpuModuleUnload(m);
    mgpuModuleUnload(m);
  } else if (strcmp(what, "free") == 0) {
    void *p = mgpuMemAlloc(1024, NULL, 0);
    mgpuMemFree(p, NULL);
    mgpuMemFree(p, NULL);
  } else if (strcmp(what, "memory") == 0)
    mgpuMemAlloc((uint64_t)1 << 60, NULL, 0);
  else if (strcmp(what, "device") == 0)
    mgpuSetDefaultDevice(7);
  else if (strcmp(what, "registered") == 0)
    mgpuMemHostUnregister(memory);
  else if (strcmp(what, "scope") == 0)
    mgpuxAllocCacheEnd((void *)4711);
  else if (strcmp(what, "region") == 0)
    mgpuxGraphEnd();
  else if (strcmp(what, "settings") == 0)
    mgpuStreamDestroy(mgpuStreamCreate());
  return 0;
}
