/* OpenMP's target regions, or OpenACC's, as GCC compiles them. Prints where they ran. */
#include <stdio.h>
#include <stdlib.h>

#ifdef _OPENACC
#include <openacc.h>
#else
#include <omp.h>
#endif

int main(void) {
  enum { n = 1000 };
  long sum = 0;
  int on = 0, *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
#ifdef _OPENACC
#pragma acc parallel loop copy(a[ : n], sum) reduction(+ : sum)
#else
#pragma omp target teams distribute parallel for map(tofrom : a[ : n], sum)    \
    reduction(+ : sum)
#endif
  for (int i = 0; i < n; i++) {
    a[i] *= 2;
    sum += a[i];
  }
#ifdef _OPENACC
#pragma acc parallel copyout(on)
  on = acc_on_device(acc_device_not_host);
#else
#pragma omp target map(from : on)
  on = !omp_is_initial_device();
#endif
  for (int i = 0; i < n; i++)
    if (a[i] != 2 * i)
      return printf("word %d is %d\n", i, a[i]), 1;
  printf("%s, sum %ld\n", on ? "on the GPU" : "on the host", sum);
  free(a);
}
