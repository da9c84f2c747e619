/* Memory of one process that another one's kernel increments. */
#include "hip.h"

#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
  hipIpcMemHandle_t handle;
  int host[64], *words;
  if (argc == 2) { /* the other process */
    EXPECT(read(atoi(argv[1]), &handle, sizeof handle) == sizeof handle);
    hipFunction_t increment = function(module(), "increment");
    CHECK(hipIpcOpenMemHandle((void **)&words, handle,
                              hipIpcMemLazyEnablePeerAccess));
    launch(increment, 1, 64, NULL, (void *[]){&words});
    CHECK(hipDeviceSynchronize());
    CHECK(hipIpcCloseMemHandle(words));
    return 0;
  }
  int ends[2];
  EXPECT(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    char end[16];
    snprintf(end, sizeof end, "%d", ends[0]);
    execl("/proc/self/exe", "ipc", end, (char *)NULL);
    _exit(2);
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
