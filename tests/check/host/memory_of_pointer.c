// SPDX-License-Identifier: Apache-2.0
// The address of the pointer in place of what it points at.
// kind: host-memory-too-small
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  float* result = calloc(COUNT, sizeof *result);
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
#else
  float* const kept = result;
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, BYTES, &result, 0, NULL, NULL));  // wrong
  result = kept;
#endif
  free(result);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
