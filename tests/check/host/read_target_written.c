// SPDX-License-Identifier: Apache-2.0
// The host clears the array while a read into it is under way.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(16 * COUNT, sizeof(float));
  cl_mem buffer = makeBuffer(&host, 16 * BYTES);
  fillBuffer(&host, buffer, 16 * BYTES);
#ifdef RIGHT
  memset(data, 1, 16 * BYTES);
#endif
  check(clEnqueueReadBuffer(host.queue, buffer, CL_FALSE, 0, 16 * BYTES, data, 0, NULL, NULL));  // also
#ifndef RIGHT
  for (int i = 0; i < 16 * COUNT; ++i) data[i] = 1;  // wrong
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
