#include "device.h"

#include <stdio.h>
#include <string.h>

#include "call.h"
#include "memory.h"
#include "option.h"
#include "real.h"
#include "violation.h"

/* hipRuntimeGetVersion's number: 5.2.3, as the header that vendor.c reads. */
enum { version_number = 50220730 };

static struct device device[most_devices];
static int count;
static _Thread_local int current;

void device_configure(void) {
  uint64_t n = option_number("FAKEHIP_DEVICES", 1);
  count = n < most_devices ? (int)n : most_devices;
  for (int i = 0; i < count; i++) {
    device[i].number = i;
    pthread_mutex_init(&device[i].lock, NULL);
  }
  memory_configure();
}

int device_count(void) { return count; }
struct device *device_at(int number) {
  return number >= 0 && number < count ? &device[number] : NULL;
}
struct device *device_current(void) { return device_at(current); }

hipError_t real_hipInit(unsigned flags) {
  if (flags != 0)
    return hipErrorInvalidValue;
  return count ? hipSuccess : hipErrorNoDevice;
}

hipError_t real_hipRuntimeGetVersion(int *version) {
  if (!version)
    return hipErrorInvalidValue;
  *version = version_number;
  return hipSuccess;
}

hipError_t real_hipDriverGetVersion(int *version) {
  return real_hipRuntimeGetVersion(version);
}

hipError_t real_hipGetDeviceCount(int *n) {
  if (!n)
    return hipErrorInvalidValue;
  *n = count;
  return count ? hipSuccess : hipErrorNoDevice;
}

hipError_t real_hipGetDevice(int *number) {
  if (!number)
    return hipErrorInvalidValue;
  *number = current;
  return count ? hipSuccess : hipErrorNoDevice;
}

hipError_t real_hipSetDevice(int number) {
  if (!device_at(number))
    return count ? hipErrorInvalidDevice : hipErrorNoDevice;
  current = number;
  return hipSuccess;
}

hipError_t real_hipDeviceGet(hipDevice_t *d, int ordinal) {
  if (!d)
    return hipErrorInvalidValue;
  if (!device_at(ordinal))
    return hipErrorInvalidDevice;
  *d = ordinal;
  return hipSuccess;
}

hipError_t real_hipDeviceGetName(char *name, int size, hipDevice_t number) {
  if (!name || size <= 0)
    return hipErrorInvalidValue;
  if (!device_at(number))
    return hipErrorInvalidDevice;
  snprintf(name, (size_t)size, "fakehip device %d", number);
  return hipSuccess;
}

hipError_t real_hipDeviceGetAttribute(int *value, hipDeviceAttribute_t a,
                                      int number) {
  static const struct {
    hipDeviceAttribute_t number;
    int value;
  } attribute[] = {
#define A(name, number, value) {number, value},
#include "attributes.h"
#undef A
  };
  if (!value)
    return hipErrorInvalidValue;
  if (!device_at(number))
    return hipErrorInvalidDevice;
  for (size_t i = 0; i < sizeof attribute / sizeof *attribute; i++)
    if (attribute[i].number == a) {
      *value = attribute[i].value;
      return hipSuccess;
    }
  return hipErrorInvalidValue;
}
