// SPDX-License-Identifier: Apache-2.0
// Two regions are mapped, one of them is unmapped.
// kind: never-unmapped
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = makeBuffer(&host, BYTES);
  float* first = clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &error);
  check(error);
  float* other = clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_READ, 64, 64, 0, NULL, NULL, &error);  // wrong
  check(error);
  check(clEnqueueUnmapMemObject(host.queue, buffer, first, 0, NULL, NULL));
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, other, 0, NULL, NULL));
#else
  (void)other;
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
