// SPDX-License-Identifier: Apache-2.0
// A non-blocking read is used at once, and nothing waits for it.
// kind: result-too-early
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = malloc(BYTES);
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
  check(clFinish(host.queue));
  check(clEnqueueReadBuffer(host.queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, NULL));  // wrong
#ifdef RIGHT
  check(clFinish(host.queue));
#else
  check(clFlush(host.queue));
#endif
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
