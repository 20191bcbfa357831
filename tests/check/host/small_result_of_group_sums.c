// SPDX-License-Identifier: Apache-2.0
// The sums of some work-groups are read without blocking, and added up at once.
// kind: result-too-early
// needs: breakpoints
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4096);
  fillBuffer(&host, m, 4096);
  float* partial = malloc(16 * sizeof(float));
  memset(partial, 0, 64);
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, 64, partial, 0, NULL, NULL));
#else
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, 64, partial, 0, NULL, NULL));  // also
#endif
  float sum = 0;
  for (int i = 0; i < 16; ++i) sum += partial[i];  // wrong
  printf("%g\n", sum);
  check(clFinish(host.queue));
  free(partial);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
