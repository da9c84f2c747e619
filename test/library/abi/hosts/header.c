#include <mgpu_runtime.h>

int main(void) { return sizeof(struct mgpu_memref1d_f32) == 40 ? 0 : 1; }
