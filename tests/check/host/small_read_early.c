// SPDX-License-Identifier: Apache-2.0
// One number is read without blocking, and used at once.
// kind: result-too-early
// needs: breakpoints
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4096);
  fillBuffer(&host, m, 4096);
  int sum = 1;
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, 4, &sum, 0, NULL, NULL));
#else
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, 4, &sum, 0, NULL, NULL));  // also
#endif
  printf("%d\n", sum);  // wrong
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
