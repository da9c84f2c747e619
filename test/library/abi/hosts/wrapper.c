/* Stands for the stock wrapper in a program that was linked against it. */
#include <mgpu_runtime.h>
#include <stdio.h>

void *mgpuStreamCreate(void) {
  puts("stock");
  return NULL;
}
void mgpuStreamDestroy(void *s) { (void)s; }
size_t mgpuxGetStats(struct mgpux_stats *s, size_t n) {
  (void)s;
  return n * 0;
}
