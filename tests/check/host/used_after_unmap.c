// SPDX-License-Identifier: Apache-2.0
// A region is written after it was unmapped.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  cl_int error;
  float* data = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);  // also
  check(error);
  for (int i = 0; i < COUNT; ++i) data[i] = i;
#ifdef RIGHT
  data[0] = 5;
#endif
  check(clEnqueueUnmapMemObject(host.queue, m, data, 0, NULL, NULL));  // also
  check(clFinish(host.queue));
#ifndef RIGHT
  data[0] = 5;  // wrong
#endif
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
