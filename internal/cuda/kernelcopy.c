#include "kernelcopy.h"

#include <pthread.h>

#include "context.h"

enum { threads = 256, piece = 16, most_blocks = 64 };

/* Each thread copies pieces of 16 bytes, as far apart as there are threads; the
 * first ones copy a byte each of what is left. */
static const char kernel[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".visible .entry mgpu_copy(.param .u64 dst, .param .u64 src,\n"
    "                          .param .u64 bytes)\n"
    "{\n"
    "  .reg .pred %p;\n"
    "  .reg .b32 %a, %b, %c, %d;\n"
    "  .reg .b64 %dst, %src, %i, %at, %step, %end, %rest, %x, %y;\n"
    "  ld.param.u64 %dst, [dst];\n"
    "  ld.param.u64 %src, [src];\n"
    "  ld.param.u64 %end, [bytes];\n"
    "  mov.u32 %a, %ctaid.x;\n"
    "  mov.u32 %b, %ntid.x;\n"
    "  mov.u32 %c, %tid.x;\n"
    "  mov.u32 %d, %nctaid.x;\n"
    "  mul.wide.u32 %i, %a, %b;\n"
    "  cvt.u64.u32 %x, %c;\n"
    "  add.u64 %i, %i, %x;\n"
    "  mul.wide.u32 %step, %d, %b;\n"
    "  shl.b64 %step, %step, 4;\n"
    "  and.b64 %rest, %end, 15;\n"
    "  sub.u64 %end, %end, %rest;\n"
    "  shl.b64 %at, %i, 4;\n"
    "next:\n"
    "  setp.ge.u64 %p, %at, %end;\n"
    "  @%p bra bytes_left;\n"
    "  add.u64 %x, %src, %at;\n"
    "  add.u64 %y, %dst, %at;\n"
    "  ld.global.v4.u32 {%a, %b, %c, %d}, [%x];\n"
    "  st.global.v4.u32 [%y], {%a, %b, %c, %d};\n"
    "  add.u64 %at, %at, %step;\n"
    "  bra next;\n"
    "bytes_left:\n"
    "  setp.ge.u64 %p, %i, %rest;\n"
    "  @%p bra done;\n"
    "  add.u64 %end, %end, %i;\n"
    "  add.u64 %x, %src, %end;\n"
    "  add.u64 %y, %dst, %end;\n"
    "  ld.global.u8 %a, [%x];\n"
    "  st.global.u8 [%y], %a;\n"
    "done:\n"
    "  ret;\n"
    "}\n";

/* Held while the kernel is compiled. */
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;

int32_t cuda_prepare_copier(table *t) {
  CUfunction *known = &t->copier[cuda_get_device(t)];
  pthread_mutex_lock(&loading);
  struct given got = {(uintptr_t)*known, 0};
  if (*known == NULL) {
    got = call_cuModuleLoadData(t, (uintptr_t)kernel);
    if (got.status == 0)
      got = call_cuModuleGetFunction(t, got.value, (uintptr_t)"mgpu_copy");
    __atomic_store_n(known, (CUfunction)got.value, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&loading);
  return got.status;
}

int32_t cuda_kernel_copy(table *t, uintptr_t dst, uintptr_t src,
                         uintptr_t bytes, uintptr_t stream) {
  CUfunction f =
      __atomic_load_n(&t->copier[cuda_get_device(t)], __ATOMIC_ACQUIRE);
  uint64_t blocks = (bytes / piece + threads - 1) / threads;
  blocks = blocks < 1 ? 1 : blocks > most_blocks ? most_blocks : blocks;
  void *params[] = {&dst, &src, &bytes};
  return call_cuLaunchKernel(t, (uintptr_t)f, blocks, 1, 1, threads, 1, 1, 0,
                             stream, (uintptr_t)params, 0);
}
