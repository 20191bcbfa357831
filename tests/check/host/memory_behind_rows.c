// SPDX-License-Identifier: Apache-2.0
// The last row of a rectangle lies behind the block that the host has for them.
// kind: host-memory-too-small
// findings: 1
// needs: malloc
#include "host.h"

int program(void) {
  enum { WIDTH = 64, ROWS = COUNT / WIDTH };
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
#ifdef RIGHT
  float* rows = calloc(ROWS, WIDTH * sizeof(float));
#else
  float* rows = calloc(ROWS - 1, WIDTH * sizeof(float));
#endif
  const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH * sizeof(float), ROWS, 1};
  check(clEnqueueWriteBufferRect(host.queue, m, CL_TRUE, origin, origin, region, 0, 0, 0, 0, rows, 0, NULL,  // wrong
                                 NULL));
  free(rows);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
