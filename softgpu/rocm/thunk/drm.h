/* The GPUs as libdrm knows them. */
#ifndef HSAKMT_DRM_H
#define HSAKMT_DRM_H

#include <stdint.h>

/* The handle of every GPU. */
__attribute__((visibility("default"))) void *mgpu_hsakmt_drm_device(void);

#endif
