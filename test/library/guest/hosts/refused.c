/* Forbids changes of memory's protection once the library is loaded, calls, and
 * says what became of it. With a second argument nothing is forbidden. */
#include "host.h"
#include "inventory.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void forbid_mprotect(void) {
  struct sock_filter rules[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 1),
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

int main(int argc, char **argv) {
  load(argc, argv);
  if (argc == 2)
    forbid_mprotect();
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
