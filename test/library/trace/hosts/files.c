/* Writes the files that settings and calls name: files HOW [FILE].
 *   work   a call, one that fails, a snapshot if there is a FILE
 *   turns  timelines one after the other, while other threads call; prints by how much the
 *          process has grown */
#define _GNU_SOURCE
#include <mgpu_runtime.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_bool over;

static void *call(void *unused) {
  while (!over) {
    void *s = mgpuStreamCreate();
    mgpuStreamSynchronize(s);
    mgpuStreamDestroy(s);
    usleep(100);
  }
  return unused;
}

/* Megabytes of address space, and those that are resident. */
struct size {
  long mapped, resident;
};

static struct size size(void) {
  struct size s = {0, 0};
  FILE *f = fopen("/proc/self/statm", "r");
  if (fscanf(f, "%ld %ld", &s.mapped, &s.resident) != 2)
    exit(1);
  fclose(f);
  s.mapped = s.mapped * sysconf(_SC_PAGESIZE) >> 20;
  s.resident = s.resident * sysconf(_SC_PAGESIZE) >> 20;
  return s;
}

static void turns(const char *folder) {
  struct size before = {0, 0};
  for (int i = 0; i < 24; i++) {
    char name[4096];
    snprintf(name, sizeof name, "%s/%d.json", folder, i);
    if (mgpuxTraceStart(name) != 0)
      exit(1);
    usleep(1000);
    for (int j = 0; j < 500; j++)
      mgpuxMark("mark");
    mgpuxTraceStop();
    if (i == 3)
      before = size();
  }
  struct size after = size();
  printf("%ld MB more, %ld resident\n", after.mapped - before.mapped,
         after.resident - before.resident);
}

int main(int argc, char **argv) {
  const char *file = argc > 2 ? argv[2] : NULL;
  void *s = mgpuStreamCreate();
  if (strcmp(argv[1], "turns") == 0) {
    pthread_t others[3];
    for (int i = 0; i < 3; i++)
      pthread_create(&others[i], NULL, call, NULL);
    turns(file);
    over = true;
    for (int i = 0; i < 3; i++)
      pthread_join(others[i], NULL);
  }
  if (strcmp(argv[1], "work") == 0) {
    mgpuMemFree(mgpuMemAlloc(100, s, 0), s);
    mgpuModuleLoad("not an image", 12);
    if (file != NULL)
      printf("%d\n", mgpuxMemorySnapshot(file));
  }
  mgpuStreamDestroy(s);
  puts("end");
  return 0;
}
