// SPDX-License-Identifier: Apache-2.0
// A second buffer is made of memory whose first buffer is still there, and both are filled; right, the first one is
// released before.
// kind: shared-host-memory
#include "host.h"

int program(void) {
  Host host = openHost();
  static float data[COUNT];
  cl_int error;
  cl_mem first = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
#ifdef RIGHT
  fillBuffer(&host, first, BYTES);
  check(clFinish(host.queue));
  check(clReleaseMemObject(first));
#endif
  cl_mem second = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
  const float one = 1, two = 2;
#ifndef RIGHT
  check(clEnqueueFillBuffer(host.queue, first, &one, sizeof one, 0, BYTES, 0, NULL, NULL));
#endif
  check(clEnqueueFillBuffer(host.queue, second, &two, sizeof two, 0, BYTES, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
#ifndef RIGHT
  check(clReleaseMemObject(first));
#endif
  check(clReleaseMemObject(second));
  printf("%g\n", one);
  closeHost(&host);
  return 0;
}
