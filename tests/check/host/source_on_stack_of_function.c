// SPDX-License-Identifier: Apache-2.0
// The source of a write is a variable of a function that has returned.
// kind: source-changed host-memory-freed
#include "host.h"

__attribute__((noinline)) static void upload(const Host* host, cl_mem m) {
  int values[64];
  for (int i = 0; i < 64; ++i) values[i] = i;
#ifdef RIGHT
  check(clEnqueueWriteBuffer(host->queue, m, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
#else
  check(clEnqueueWriteBuffer(host->queue, m, CL_FALSE, 0, sizeof values, values, 0, NULL, NULL));  // wrong
#endif
}
__attribute__((noinline)) static int other(int n) {
  volatile int more[128];
  for (int i = 0; i < 128; ++i) more[i] = n;
  return more[5];
}
int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4096);
  upload(&host, m);
  other(7);
  check(clFinish(host.queue));  // also
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
