/* Memory of one process that another one's kernel increments. */
#include "hip.h"

#include <sys/wait.h>
#include <unistd.h>

/* The other process. */
static void other(int from) {
  hipIpcMemHandle_t handle;
  int *words;
  EXPECT(read(from, &handle, sizeof handle) == sizeof handle);
  hipFunction_t increment = function(module(), "increment");
  /* hipIpcMemLazyEnablePeerAccess is 0 in ROCm 5.2 and 1 later. */
  if (hipIpcOpenMemHandle((void **)&words, handle, 0) != hipSuccess)
    CHECK(hipIpcOpenMemHandle((void **)&words, handle, 1));
  launch(increment, 1, 64, NULL, (void *[]){&words});
  CHECK(hipDeviceSynchronize());
  CHECK(hipIpcCloseMemHandle(words));
}

int main(void) {
  hipIpcMemHandle_t handle;
  int host[64], *words, ends[2];
  EXPECT(pipe(ends) == 0);
  pid_t child = fork(); /* before either has called HIP */
  if (child == 0) {
    other(ends[0]);
    return 0;
  }
  CHECK(hipMalloc((void **)&words, sizeof host));
  CHECK(hipMemset(words, 0, sizeof host));
  CHECK(hipDeviceSynchronize());
  CHECK(hipIpcGetMemHandle(&handle, words));
  EXPECT(write(ends[1], &handle, sizeof handle) == sizeof handle);
  int status;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  CHECK(hipMemcpy(host, words, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == 1);
  puts("ok");
}
