// SPDX-License-Identifier: Apache-2.0
// malloc() gets the number of numbers, not that of bytes, and a read writes behind the block.
// kind: host-memory-too-small
// findings: 1
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
#ifdef RIGHT
  float* result = malloc(COUNT * sizeof *result);
#else
  float* result = malloc(COUNT);
#endif
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));  // wrong
  free(result);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
