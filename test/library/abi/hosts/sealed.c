/* Runs a kernel on malloc'ed memory where the process can open no file.
 * argv[1] says why: "descriptors" (all are in use), "proc" (/proc is empty),
 * "openat" (seccomp refuses it) or "memory" (process_vm_readv too); argv[2] says
 * whether "before" or "after" the first call. */
#define _GNU_SOURCE
#include "capture.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

BLOB(blob, "v5.hsaco");

static void skip(const char *why) {
  printf("skip: %s\n", why);
  exit(0);
}

static void refuse(int call, int other) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, other, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
    skip("no filters of system calls here");
}

static void seal(const char *how) {
  if (strcmp(how, "descriptors") == 0) {
    struct rlimit few = {64, 64};
    setrlimit(RLIMIT_NOFILE, &few);
    while (dup(0) >= 0)
      ;
  } else if (strcmp(how, "proc") == 0) {
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0 && unshare(CLONE_NEWNS) != 0)
      skip("no right to mount");
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "/proc", "tmpfs", 0, NULL) != 0)
      skip("no right to mount");
  } else {
    refuse(SYS_openat,
           strcmp(how, "memory") == 0 ? SYS_process_vm_readv : SYS_openat);
  }
}

static void run(float *y, float *x, int n) {
  void *m = mgpuModuleLoad(blob, 0);
  void *f = mgpuModuleGetFunction(m, "saxpy");
  void *s = mgpuStreamCreate();
  float a = 1;
  uint32_t local = 0;
  void *params[] = {&y, &x, &a, &n, &local};
  mgpuLaunchKernel(f, (n + 63) / 64, 1, 1, 64, 1, 1, 64, s, params, NULL, 5);
  mgpuStreamSynchronize(s);
  mgpuStreamDestroy(s);
  mgpuModuleUnload(m);
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  enum { n = 1 << 16 };
  float *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
  if (strcmp(argv[2], "after") == 0)
    run(y, x, 64);
  for (int i = 0; i < n; i++)
    x[i] = 1, y[i] = 0;
  seal(argv[1]);
  run(y, x, n);
  printf("%g %g %g %g\n", y[0], y[1], y[n - 2], y[n - 1]);
  float *late = malloc(n * sizeof *late);
  for (int i = 0; i < n; i++)
    late[i] = 0;
  run(late, x, n);
  printf("%g %g %g %g\n", late[0], late[1], late[n - 2], late[n - 1]);
  void *page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  fflush(stdout);
  run(page, x, 64);
  run(unmapped(), x, 64);
  run(y, x, n);
  printf("%g\n", y[0]);
}
