/* Asynchronous operations joined by tokens. Where the compiler loses sight of
 * where a token comes from it takes the stream for an event (SEEN: it never
 * does); streams that are only depended upon it never destroys, which this program
 * does in its place. */
#include "host.h"

static int program(void) {
  WORDS(in);
  WORDS(out);
  uint32_t one = 1, two = 2, n = N;
  spoil(out);
  for (int i = 0; i < N; i++)
    in[i] = 5;
  void *m = mgpuModuleLoad(suite, GARBAGE);

  void *a = mgpuStreamCreate();
  void *b = mgpuStreamCreate();
  void *p = mgpuMemAlloc(BYTES, a, 0);
  void *q = mgpuMemAlloc(BYTES, b, 0);
  mgpuMemcpy(p, in, BYTES, a);
  void *f = mgpuModuleGetFunction(m, "fill");
  launch(f, b, PARAMS(&q, &two, &n));

  /* gpu.wait async [a, b] */
  void *ea = mgpuEventCreate();
  mgpuEventRecord(ea, a);
  void *eb = mgpuEventCreate();
  mgpuEventRecord(eb, b);
  void *joined = mgpuStreamCreate();
  mgpuStreamWaitEvent(joined, ea);
  mgpuEventDestroy(ea);
  mgpuStreamWaitEvent(joined, eb);
  mgpuEventDestroy(eb);

  void *step = mgpuModuleGetFunction(m, "step");
  launch(step, joined, PARAMS(&p, &n));
  mgpuMemcpy(q, p, BYTES / 2, joined);

  void *last = mgpuStreamCreate();
#ifdef SEEN
  void *seen = mgpuEventCreate();
  mgpuEventRecord(seen, joined);
  mgpuStreamWaitEvent(last, seen);
  mgpuEventDestroy(seen);
#else /* A token that went through control flow, as LLVM 18 to 22 have it. */
  mgpuStreamWaitEvent(last, joined);
#endif
  launch(step, last, PARAMS(&q, &n));
  mgpuMemcpy(out, q, BYTES, last);
#ifdef SEEN
  mgpuStreamSynchronize(last);
  mgpuStreamDestroy(last);
#else
  mgpuEventSynchronize(last);
  mgpuEventDestroy(last);
#endif

  /* An event that is waited for by the host. */
  void *e = mgpuEventCreate();
  launch(f, joined, PARAMS(&q, &one, &n));
  mgpuEventRecord(e, joined);
  mgpuEventSynchronize(e);
  mgpuEventDestroy(e);

  mgpuMemFree(p, a);
  mgpuMemFree(q, joined);
  mgpuStreamDestroy(a);
  mgpuStreamDestroy(b);
  mgpuStreamDestroy(joined);
  mgpuModuleUnload(m);

  int wrong = 0;
  for (int i = 0; i < N; i++)
    wrong += out[i] != (i < N / 2 ? 3 * (3 * 5 + 1) + 1 : 3 * 2 + 1);
  return wrong;
}
