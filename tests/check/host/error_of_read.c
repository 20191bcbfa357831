// SPDX-License-Identifier: Apache-2.0
// More is read than the buffer has, nothing is copied, and the program ends as if all were well.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(2 * COUNT, sizeof(float));
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
#ifdef RIGHT
  const size_t bytes = BYTES;
#else
  const size_t bytes = 2 * BYTES;
#endif
  clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);  // wrong
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
