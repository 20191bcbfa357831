// SPDX-License-Identifier: Apache-2.0
// An array of half the size.
// kind: host-memory-too-small
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
#ifdef RIGHT
  float result[COUNT];
#else
  float result[COUNT / 2];
#endif
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));  // wrong
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
