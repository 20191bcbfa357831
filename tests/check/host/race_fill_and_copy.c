// SPDX-License-Identifier: Apache-2.0
// A buffer is filled in one command-queue and copied in another one.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int one = 1;
  cl_event event;
  cl_mem other = makeBuffer(&host, BYTES);

  check(clEnqueueFillBuffer(host.queue, buffer, &one, sizeof one, 0, BYTES, 0, NULL, &event));  // wrong
  check(clFlush(host.queue));
#ifdef RIGHT
  check(clEnqueueCopyBuffer(second, buffer, other, 0, 0, BYTES, 1, &event, NULL));
#else
  check(clEnqueueCopyBuffer(second, buffer, other, 0, 0, BYTES, 0, NULL, NULL));  // wrong
#endif
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  check(clReleaseEvent(event));
  check(clReleaseMemObject(other));
  closeHost(&host);
  return 0;
}
