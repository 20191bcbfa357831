// SPDX-License-Identifier: Apache-2.0
// A command-queue waits for a command of another one that was never flushed.
// kind: not-flushed
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0, one = 1;
  cl_event first;
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &first));  // wrong
#ifdef RIGHT
  check(clFlush(host.queue));
#endif
  check(clEnqueueFillBuffer(second, buffer, &one, sizeof one, 0, BYTES, 1, &first, NULL));
  check(clFinish(second));  // also
  check(clReleaseEvent(first));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
