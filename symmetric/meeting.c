/* The meeting of ranks on one machine, over Unix sockets with abstract names. Rank 0
 * listens, and all messages go through it. If a rank ends, the kernel closes its socket,
 * which the others notice. */
#define _GNU_SOURCE
#include "symmetric.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { VERSION = 1 };

/* The first message of a rank. */
struct hello {
  uint32_t version;
  int32_t rank, size;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double timeout(void) {
  const char *text = getenv("AIRGPU_TIMEOUT");
  double seconds = text ? atof(text) : 0;
  return seconds > 0 ? seconds : 60;
}

/* Writes a name that is the same for all ranks of a job and differs between jobs. */
static void job(char *out, size_t size) {
  static const char *const names[] = {"AIRGPU_JOB_ID", "PMIX_NAMESPACE",
                                      "OMPI_MCA_ess_base_jobid", "MASTER_PORT"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (value && *value) {
      snprintf(out, size, "%s=%s", names[i], value);
      return;
    }
  }
  const char *slurm = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID");
  if (slurm && step)
    snprintf(out, size, "SLURM_JOB_ID=%s, SLURM_STEP_ID=%s", slurm, step);
  else
    snprintf(out, size, "the parent process %d", (int)getppid());
}

static socklen_t address(struct sockaddr_un *a, const char *name, unsigned n) {
  uint64_t hash =
      14695981039346656037u; /* FNV-1a: names may be longer than addresses */
  for (const char *c = name; *c; c++)
    hash = (hash ^ (unsigned char)*c) * 1099511628211u;
  *a = (struct sockaddr_un){.sun_family = AF_UNIX};
  int length = snprintf(a->sun_path + 1, sizeof a->sun_path - 1,
                        "mgpu-symmetric.%u.%016llx.%u", (unsigned)geteuid(),
                        (unsigned long long)hash, n);
  return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
                     (size_t)length);
}

static bool send_all(int to, const void *data, size_t bytes, const int *fds,
                     int count) {
  union {
    struct cmsghdr align;
    char room[CMSG_SPACE(sizeof(int) * MOST_RANKS)];
  } control;
  for (size_t sent = 0; sent < bytes;) {
    struct iovec part = {(char *)data + sent, bytes - sent};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (count > 0) {
      message.msg_control = &control;
      message.msg_controllen = CMSG_SPACE(sizeof(int) * (size_t)count);
      memset(&control, 0, sizeof control);
      struct cmsghdr *c = CMSG_FIRSTHDR(&message);
      c->cmsg_level = SOL_SOCKET;
      c->cmsg_type = SCM_RIGHTS;
      c->cmsg_len = CMSG_LEN(sizeof(int) * (size_t)count);
      memcpy(CMSG_DATA(c), fds, sizeof(int) * (size_t)count);
    }
    ssize_t n = sendmsg(to, &message, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    sent += (size_t)n;
    count = 0; /* went with the first bytes */
  }
  return true;
}

static bool receive_all(int from, void *data, size_t bytes, int *fds,
                        int count) {
  union {
    struct cmsghdr align;
    char room[CMSG_SPACE(sizeof(int) * MOST_RANKS)];
  } control;
  for (size_t got = 0; got < bytes;) {
    struct iovec part = {(char *)data + got, bytes - got};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    ssize_t n = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c;
         c = CMSG_NXTHDR(&message, c)) {
      if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
        continue;
      int sent = (int)((c->cmsg_len - CMSG_LEN(0)) / sizeof(int)),
          kept = sent < count ? sent : count;
      memcpy(fds, CMSG_DATA(c), sizeof(int) * (size_t)kept);
      for (int i = kept; i < sent; i++) {
        int fd;
        memcpy(&fd, CMSG_DATA(c) + sizeof(int) * (size_t)i, sizeof fd);
        close(fd);
      }
      count -= kept;
      fds += kept;
    }
    got += (size_t)n;
  }
  return true;
}

/* Reports whether the other side belongs to the same user. */
static bool ours(int connection) {
  struct ucred who;
  socklen_t size = sizeof who;
  return getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 &&
         who.uid == geteuid();
}

static bool missing(const struct meeting *m, const char *call, const char *name,
                    double seconds) {
  char list[200] = "";
  int length = 0, gone = 0;
  for (int r = 1; r < m->size; r++)
    if (m->to[r] < 0 && gone++ < 8)
      length += snprintf(list + length, sizeof list - (size_t)length, " %d", r);
  return fail(call,
              "%d of %d ranks did not come within %g s, among them%s; ranks "
              "find each other by %s: "
              "set AIRGPU_JOB_ID to the same in all of them if that is not "
              "theirs alone, AIRGPU_TIMEOUT if they need longer",
              gone, m->size, seconds, list, name);
}

/* Rank 0 waits for the others. */
static bool host(struct meeting *m, const char *call,
                 const struct sockaddr_un *a, socklen_t length,
                 const char *name) {
  int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (listening < 0 ||
      bind(listening, (const struct sockaddr *)a, length) != 0 ||
      listen(listening, MOST_RANKS) != 0) {
    int error = errno;
    if (listening >= 0)
      close(listening);
    return fail(call, "rank 0 of %s can't be found by the others: %s", name,
                strerror(error));
  }
  double limit = timeout(), end = now() + limit;
  for (int come = 1; come < m->size;) {
    struct pollfd ready = {.fd = listening, .events = POLLIN};
    double left = end - now();
    int n = left > 0 ? poll(&ready, 1, (int)(left * 1000) + 1) : 0;
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0) {
      close(listening);
      return missing(m, call, name, limit);
    }
    int connection = accept4(listening, NULL, NULL, SOCK_CLOEXEC);
    if (connection < 0)
      continue;
    struct hello h;
    if (!ours(connection) || !receive_all(connection, &h, sizeof h, NULL, 0) ||
        h.version != VERSION) {
      close(connection);
      continue;
    }
    if (h.size != m->size || h.rank < 1 || h.rank >= m->size ||
        m->to[h.rank] >= 0) {
      close(connection);
      close(listening);
      return fail(call, "a process of %s is rank %d of %d, beside rank 0 of %d",
                  name, h.rank, h.size, m->size);
    }
    m->to[h.rank] = connection;
    come++;
  }
  close(listening);
  return true;
}

/* The other ranks connect to rank 0. */
static bool visit(struct meeting *m, const char *call,
                  const struct sockaddr_un *a, socklen_t length,
                  const char *name) {
  double limit = timeout(), end = now() + limit;
  for (;;) {
    int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection < 0)
      return fail(call, "no socket: %s", strerror(errno));
    if (connect(connection, (const struct sockaddr *)a, length) == 0) {
      struct hello h = {VERSION, m->rank, m->size};
      if (ours(connection) && send_all(connection, &h, sizeof h, NULL, 0)) {
        m->to[0] = connection;
        return true;
      }
    }
    close(connection);
    if (now() > end)
      return fail(
          call,
          "rank 0 of %d was not there within %g s; ranks find each other by "
          "%s: set AIRGPU_JOB_ID to the same in all of them "
          "if that is not theirs alone, AIRGPU_TIMEOUT if they need longer",
          m->size, limit, name);
    usleep(2000);
  }
}

bool meet(struct meeting *m, const char *call, int rank, int size, unsigned n) {
  m->rank = rank;
  m->size = size;
  for (int r = 0; r < MOST_RANKS; r++)
    m->to[r] = -1;
  if (size == 1)
    return true;
  char name[300];
  struct sockaddr_un a;
  job(name, sizeof name);
  socklen_t length = address(&a, name, n);
  if (rank == 0 ? host(m, call, &a, length, name)
                : visit(m, call, &a, length, name))
    return true;
  part(m);
  return false;
}

void part(struct meeting *m) {
  for (int r = 0; r < m->size; r++) {
    if (m->to[r] >= 0)
      close(m->to[r]);
    m->to[r] = -1;
  }
}

static bool gone(const char *call, int rank) {
  return fail(call, "rank %d has ended, or left the heaps", rank);
}

bool exchange(struct meeting *m, const char *call, const void *mine,
              size_t bytes, void *all, int fd, int *all_fds) {
  memcpy((char *)all + bytes * (size_t)m->rank, mine, bytes);
  all_fds[m->rank] = fd;
  int passed = fd >= 0;
  if (m->rank != 0) {
    if (!send_all(m->to[0], mine, bytes, &fd, passed) ||
        !receive_all(m->to[0], all, bytes * (size_t)m->size, all_fds,
                     passed ? m->size : 0))
      return gone(call, 0);
    if (passed) { /* one's own comes back as another descriptor */
      close(all_fds[m->rank]);
      all_fds[m->rank] = fd;
    }
    return true;
  }
  for (int r = 1; r < m->size; r++)
    if (!receive_all(m->to[r], (char *)all + bytes * (size_t)r, bytes,
                     &all_fds[r], passed))
      return gone(call, r);
  for (int r = 1; r < m->size; r++)
    if (!send_all(m->to[r], all, bytes * (size_t)m->size, all_fds,
                  passed ? m->size : 0))
      return gone(call, r);
  return true;
}

bool agree(struct meeting *m, const char *call, bool mine, bool *together) {
  unsigned char yes = mine; /* 0, 1, or 2 and the rank that is gone */
  *together = false;
  if (m->rank != 0) {
    if (!send_all(m->to[0], &yes, 1, NULL, 0) ||
        !receive_all(m->to[0], &yes, 1, NULL, 0))
      return gone(call, 0);
    if (yes > 1)
      return gone(call, yes - 2);
    *together = yes;
    return true;
  }
  int lost = 0;
  for (int r = 1; r < m->size; r++) {
    unsigned char theirs = 0;
    if (!receive_all(m->to[r], &theirs, 1, NULL, 0))
      lost = lost ? lost : r;
    yes = yes && theirs;
  }
  unsigned char answer = lost ? (unsigned char)(lost + 2) : yes;
  for (int r = 1; r < m->size; r++)
    (void)send_all(m->to[r], &answer, 1, NULL, 0);
  if (lost)
    return gone(call, lost);
  *together = yes;
  return true;
}
