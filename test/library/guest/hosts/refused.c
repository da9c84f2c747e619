/* refused LIBRARY [CALL]: forbids changes of memory's protection once the library is
 * loaded, or another system call, calls, and says what became of it. CALL may be
 * "nothing". With "late" the call is sigaltstack, and forbidden after a first call. */
#include "host.h"
#include "inventory.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void forbid(unsigned call) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof rules / sizeof *rules, rules};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    printf("no filters here\n");
    exit(0);
  }
}

static void *another(void *unused) {
  printf("%s on another thread\n", stream_create() != NULL ? "stream" : "none");
  return unused;
}

int main(int argc, char **argv) {
  load(argc, argv);
  const char *call = argc == 2 ? "mprotect" : argv[2];
  static const struct {
    const char *name;
    unsigned number;
  } calls[] = {{"mprotect", SYS_mprotect},
               {"sigaltstack", SYS_sigaltstack},
               {"rt_sigprocmask", SYS_rt_sigprocmask},
               {"rt_sigaction", SYS_rt_sigaction}};
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (strcmp(call, calls[i].name) == 0)
      forbid(calls[i].number);
  if (strcmp(call, "late") == 0) {
    printf("%s\n", stream_create() != NULL ? "stream" : "none");
    forbid(SYS_sigaltstack);
    pthread_t t;
    pthread_create(&t, NULL, another, NULL);
    pthread_join(t, NULL);
    printf("%s\n", stream_create() != NULL ? "stream" : "none");
    return 0;
  }
  sigset_t m;
  sigemptyset(&m);
  sigaddset(&m, SIGUSR2);
  sigprocmask(SIG_SETMASK, &m, NULL);
  for (int i = 0; i < 2; i++) {
    errno = 77;
    void *s = stream_create();
    printf("%s, errno %d\n", s != NULL ? "stream" : "none", errno);
  }
  print_thread_state("main");
  print_threads();
}
