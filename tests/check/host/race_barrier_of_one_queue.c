// SPDX-License-Identifier: Apache-2.0
// A barrier orders the commands of its own command-queue only.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int one = 1;
  cl_event event;

  check(clEnqueueFillBuffer(host.queue, buffer, &one, sizeof one, 0, BYTES, 0, NULL, &event));  // wrong
  check(clFlush(host.queue));
#ifdef RIGHT
  check(clEnqueueBarrierWithWaitList(second, 1, &event, NULL));
#else
  check(clEnqueueBarrierWithWaitList(second, 0, NULL, NULL));
#endif
  check(clEnqueueFillBuffer(second, buffer, &one, sizeof one, 0, BYTES, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  check(clReleaseEvent(event));
  closeHost(&host);
  return 0;
}
