/* A target region of OpenMP's that writes one word past its block. */
#include <omp.h>
#include <stdio.h>

int main(void) {
  enum { n = 1024 };
  int *a = omp_target_alloc(n * sizeof *a, 0);

#pragma omp target teams distribute parallel for is_device_ptr(a)
  for (int i = 0; i <= n; i++)
    a[i] = i; /* the line that the report names */
  omp_target_free(a, 0);
  puts("went on");
}
