// SPDX-License-Identifier: Apache-2.0
// A region is mapped to be filled, and never unmapped.
// kind: never-unmapped
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = makeBuffer(&host, BYTES);
  float* data =
      clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);  // wrong
  check(error);
  memset(data, 0, BYTES);
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));
  check(clFinish(host.queue));
#endif
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
