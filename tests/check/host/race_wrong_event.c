// SPDX-License-Identifier: Apache-2.0
// The copy waits for the first of two writes only.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int one = 1;
  cl_event events[2];
  cl_mem other = makeBuffer(&host, BYTES);

  check(clEnqueueFillBuffer(second, buffer, &one, sizeof one, 0, BYTES / 2, 0, NULL, &events[0]));
  check(clEnqueueFillBuffer(second, buffer, &one, sizeof one, BYTES / 2, BYTES / 2, 0, NULL, &events[1]));  // wrong
#ifdef RIGHT
  check(clEnqueueCopyBuffer(second, buffer, other, 0, 0, BYTES, 2, events, NULL));
#else
  check(clEnqueueCopyBuffer(second, buffer, other, 0, 0, BYTES, 1, events, NULL));  // wrong
#endif
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  for (int i = 0; i < 2; ++i) check(clReleaseEvent(events[i]));
  check(clReleaseMemObject(other));
  closeHost(&host);
  return 0;
}
