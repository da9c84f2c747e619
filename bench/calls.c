/* What bench/calls.py calls: a function that does nothing, and the functions of C by which an array type
 * shows where its arrays lie (DLPackExchangeAPI), for one array that never moves. */
#include <stdint.h>

struct tensor {
  void *data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};

static float elements[4096];
static int64_t shape[] = {4096}, strides[] = {1};
int32_t calls_device_type;

void _mlir_ciface_axpy(float k, void *x, void *y) { (void)k, (void)x, (void)y; }

int calls_tensor_of(void *object, struct tensor *t) {
  (void)object;
  *t = (struct tensor){elements, calls_device_type, 0, 1, 2, 32, 1,
                       shape,    strides,           0};
  return 0;
}

int calls_work_stream(int32_t type, int32_t device, void **stream) {
  (void)type, (void)device;
  *stream = 0;
  return 0;
}
