/* The calling thread's current device. */
#ifndef FAKEHIP_CUDA_DEVICE_H
#define FAKEHIP_CUDA_DEVICE_H

int device_current(void);

#endif
