/* The calling thread's current device. */
#ifndef TESTHIP_CUDA_DEVICE_H
#define TESTHIP_CUDA_DEVICE_H

int device_current(void);

#endif
