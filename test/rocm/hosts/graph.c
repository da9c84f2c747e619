/* A graph of explicit nodes, and one that is captured from a stream. */
#include "hip.h"

int main(void) {
  hipFunction_t increment = function(module(), "increment");
  int *words, host[64];
  CHECK(hipMalloc((void **)&words, sizeof host));
  CHECK(hipMemset(words, 0, sizeof host));
  CHECK(hipDeviceSynchronize());

  hipGraph_t graph;
  hipGraphExec_t exec;
  CHECK(hipGraphCreate(&graph, 0));
  hipGraphNode_t node[3];
  for (int i = 0; i < 3; i++) {
    hipKernelNodeParams p = {.func = increment,
                             .gridDim = {1, 1, 1},
                             .blockDim = {64, 1, 1},
                             .kernelParams = (void *[]){&words}};
    CHECK(hipGraphAddKernelNode(&node[i], graph, i ? &node[i - 1] : NULL, i > 0,
                                &p));
  }
  CHECK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
  hipStream_t s;
  CHECK(hipStreamCreate(&s));
  for (int i = 0; i < 5; i++)
    CHECK(hipGraphLaunch(exec, s));
  CHECK(hipStreamSynchronize(s));
  CHECK(hipMemcpy(host, words, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; i++)
    EXPECT(host[i] == 15);

  CHECK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
  CHECK(hipMemsetAsync(words, 1, sizeof host, s));
  CHECK(hipStreamEndCapture(s, &graph));
  CHECK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
  CHECK(hipMemcpy(host, words, sizeof host, hipMemcpyDeviceToHost));
  EXPECT(host[0] == 15);
  CHECK(hipGraphLaunch(exec, s));
  CHECK(hipStreamSynchronize(s));
  CHECK(hipMemcpy(host, words, sizeof host, hipMemcpyDeviceToHost));
  EXPECT(host[63] == 0x01010101);
  puts("ok");
}
