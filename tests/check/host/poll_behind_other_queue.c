// SPDX-License-Identifier: Apache-2.0
// A loop asks for the status of a command that waits for one of another command-queue, which was not flushed. One
// question without a loop is none.
// kind: not-flushed
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem m = makeBuffer(&host, BYTES);
  const float zero = 0;
  cl_event first, last;
  check(clEnqueueFillBuffer(host.queue, m, &zero, sizeof zero, 0, BYTES, 0, NULL, &first));  // wrong
  check(clEnqueueFillBuffer(second, m, &zero, sizeof zero, 0, BYTES, 1, &first, &last));
  check(clFlush(second));
  cl_int status = CL_QUEUED;
  check(clGetEventInfo(first, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
#ifdef RIGHT
  check(clFlush(host.queue));
#endif
  for (status = CL_QUEUED; status > CL_COMPLETE;)
    check(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));  // wrong
  check(clReleaseEvent(first));
  check(clReleaseEvent(last));
  check(clReleaseMemObject(m));
  check(clReleaseCommandQueue(second));
  closeHost(&host);
  return 0;
}
