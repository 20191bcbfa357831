// SPDX-License-Identifier: Apache-2.0
// A block that malloc() maps alone, a page too small, and a read that does not block.
// kind: host-memory-too-small
// findings: 1
// needs: malloc
#include "host.h"

int program(void) {
  enum { PAGE = 4096, LARGE = 1 << 20 };
  Host host = openHost();
  cl_mem m = makeBuffer(&host, LARGE);
  fillBuffer(&host, m, LARGE);
#ifdef RIGHT
  char* result = malloc(LARGE);
#else
  char* result = malloc(LARGE - 2 * PAGE);
#endif
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, LARGE, result, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  free(result);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
