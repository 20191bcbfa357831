// SPDX-License-Identifier: Apache-2.0
// A buffer is filled while the host reads a region of it that is mapped.
// kind: mapped-in-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  const cl_int one = 1;
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
  float* data = clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);  // also
  check(error);
#ifdef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));
#endif
  check(clEnqueueFillBuffer(host.queue, buffer, &one, sizeof one, 0, BYTES, 0, NULL, NULL));  // wrong
#ifndef RIGHT
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
