// SPDX-License-Identifier: Apache-2.0
// A region is mapped for reading, and written.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  cl_int error;
#ifdef RIGHT
  float* data = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
#else
  float* data = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);  // wrong
#endif
  check(error);
  for (int i = 0; i < COUNT; ++i) data[i] += i;  // also
  check(clEnqueueUnmapMemObject(host.queue, m, data, 0, NULL, NULL));  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
