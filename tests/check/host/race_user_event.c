// SPDX-License-Identifier: Apache-2.0
// Both commands wait for the same user event, and not for each other.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int one = 1;
  cl_event gate = clCreateUserEvent(host.context, NULL), event;

  check(clEnqueueFillBuffer(host.queue, buffer, &one, sizeof one, 0, BYTES, 1, &gate, &event));  // wrong
#ifdef RIGHT
  check(clEnqueueFillBuffer(second, buffer, &one, sizeof one, 0, BYTES, 1, &event, NULL));
#else
  check(clEnqueueFillBuffer(second, buffer, &one, sizeof one, 0, BYTES, 1, &gate, NULL));  // wrong
#endif
  check(clSetUserEventStatus(gate, CL_COMPLETE));
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  check(clReleaseEvent(gate));
  check(clReleaseEvent(event));
  closeHost(&host);
  return 0;
}
