// SPDX-License-Identifier: Apache-2.0
// Two sub-buffers overlap, and two command-queues write one each.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int one = 1;

  const cl_buffer_region first = {0, BYTES / 2};
#ifdef RIGHT
  const cl_buffer_region later = {BYTES / 2, BYTES / 2};
#else
  const cl_buffer_region later = {BYTES / 4, BYTES / 2};
#endif
  cl_mem a = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, NULL);
  cl_mem b = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &later, NULL);
  check(clEnqueueFillBuffer(host.queue, a, &one, sizeof one, 0, BYTES / 2, 0, NULL, NULL));  // wrong
  check(clEnqueueFillBuffer(second, b, &one, sizeof one, 0, BYTES / 2, 0, NULL, NULL));      // wrong
  check(clReleaseMemObject(a));
  check(clReleaseMemObject(b));
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
