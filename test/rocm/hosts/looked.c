/* A process looks at the files of the GPUs and forks; then it and its child use GPUs. */
#include "hip.h"

#include <dirent.h>
#include <sys/wait.h>
#include <unistd.h>

static void use(void) {
  hipFunction_t increment = function(module(), "increment");
  int *words, host[64];
  CHECK(hipMalloc((void **)&words, sizeof host));
  CHECK(hipMemset(words, 0, sizeof host));
  launch(increment, 1, 64, NULL, (void *[]){&words});
  CHECK(hipMemcpy(host, words, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == 1);
  CHECK(hipFree(words));
}

int main(void) {
  int nodes = 0, status;
  DIR *d = opendir("/sys/class/kfd/kfd/topology/nodes");
  EXPECT(d);
  for (struct dirent *e; (e = readdir(d));)
    nodes += *e->d_name != '.';
  EXPECT(closedir(d) == 0 && nodes == 2);
  pid_t child = fork();
  use();
  if (child == 0)
    return 0;
  EXPECT(waitpid(child, &status, 0) == child && status == 0);
  puts("ok");
}
