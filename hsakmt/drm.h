/* The GPUs as libdrm knows them. */
#ifndef HSAKMT_DRM_H
#define HSAKMT_DRM_H

#include <stdint.h>

/* The handle of every GPU. */
void *drm_device(void);

#endif
