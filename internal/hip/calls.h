/* The C functions of the driver: those of table.h, and a few that Go calls directly. */
#ifndef MGPU_HIP_CALLS_H
#define MGPU_HIP_CALLS_H

#include "table.h"

/* The functions for package gpuapi. */
extern const struct api hip_api;

/* Makes a call for the program. */
#define CALL(t, call) ((t)->call)

/* Makes a query for the library itself, of which the program knows nothing. HIP stores a
 * failure (in some releases also "not ready") as the thread's last error, where a program
 * that checks errors itself would find it; ASK prevents that. */
#define ASK(t, call)                                                           \
  ({                                                                           \
    hip_status before = hip_last_error(t);                                     \
    hip_status asked = (t)->call;                                              \
    __builtin_expect(asked == hip_success, 1)                                  \
        ? asked                                                                \
        : hip_answered((t), before, asked);                                    \
  })

/* Returns the thread's last error. */
hip_status hip_last_error(table *t);

/* Clears the failure of a query from the thread's last error, and returns it. before is the
 * last error before the query. */
hip_status hip_answered(table *t, hip_status before, hip_status status);

/* A launch with clusters of workgroups. */
int32_t hip_launch_clusters(table *t, uintptr_t function, uint32_t cx,
                            uint32_t cy, uint32_t cz, uint32_t gx, uint32_t gy,
                            uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                            uint32_t shared, uintptr_t stream, uintptr_t params,
                            uintptr_t extra);

/* Called before HIP is opened, so that HIP's own exit handlers run first. Returns 0 unless
 * there is no memory: then HIP is called after its end, too. */
int hip_watch_exit(void);

/* Called if HIP was not in the process before. Once the process exits and HIP has ended, HIP
 * is not called any more: waits and releases succeed, other calls return hip_deinitialized. */
void hip_ends_first(table *t);

#endif
