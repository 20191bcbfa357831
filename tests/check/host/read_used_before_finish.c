// SPDX-License-Identifier: Apache-2.0
// The result of a non-blocking read is summed up before clFinish.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(16 * COUNT, sizeof(float));
  double sum = 0;
  cl_mem buffer = makeBuffer(&host, 16 * BYTES);
  fillBuffer(&host, buffer, 16 * BYTES);
  check(clEnqueueReadBuffer(host.queue, buffer, CL_FALSE, 0, 16 * BYTES, data, 0, NULL, NULL));  // also
#ifdef RIGHT
  check(clFinish(host.queue));
#endif
  for (int i = 0; i < 16 * COUNT; ++i) sum += data[i];  // wrong
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  free(data);
  if (sum != 0) return 3;
  closeHost(&host);
  return 0;
}
