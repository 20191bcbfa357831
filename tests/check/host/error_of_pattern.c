// SPDX-License-Identifier: Apache-2.0
// The size of a fill is no multiple of its pattern's.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  const cl_float4 pattern = {{1, 2, 3, 4}};
#ifdef RIGHT
  clEnqueueFillBuffer(host.queue, m, &pattern, sizeof pattern, 0, BYTES, 0, NULL, NULL);
#else
  clEnqueueFillBuffer(host.queue, m, &pattern, sizeof pattern, 0, BYTES - 4, 0, NULL, NULL);  // wrong
#endif
  float data[COUNT];
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, BYTES / 2, data, 0, NULL, NULL));  // also
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
