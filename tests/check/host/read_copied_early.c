// SPDX-License-Identifier: Apache-2.0
// The target of a read is copied by the C library before the command has ended.
// kind: result-too-early
// findings: 1
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4 * BYTES);
  fillBuffer(&host, m, 4 * BYTES);
  float *data = malloc(4 * BYTES), *copy = malloc(4 * BYTES);
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, 4 * BYTES, data, 0, NULL, NULL));
#else
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, 4 * BYTES, data, 0, NULL, NULL));  // also
#endif
  memcpy(copy, data, 4 * BYTES);  // wrong
  check(clFinish(host.queue));
  printf("%g\n", copy[4 * COUNT - 1]);
  free(data);
  free(copy);
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
