/* Devices: how many there are, and which one a thread's calls are for. */
#ifndef FAKEHIP_DEVICE_H
#define FAKEHIP_DEVICE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "types.h"

struct stream;

enum { most_devices = 16 };

struct device {
  int number;
  /* Held while work is put into any of the device's streams: the null stream's order with the others is decided at one
	 * moment for all of them. */
  pthread_mutex_t lock;
  struct stream *null;    /* made at its first use */
  struct stream *streams; /* a list of all others */
};

/* Returns the calling thread's device; NULL if there are no devices. */
struct device *device_current(void);

/* Returns the device with a number; NULL if there is none. */
struct device *device_at(int number);

/* Reads the number of devices from the environment. */
void device_configure(void);

int device_count(void);

#endif
