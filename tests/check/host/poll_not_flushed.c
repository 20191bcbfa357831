// SPDX-License-Identifier: Apache-2.0
// A loop asks for the status of a command that was not flushed.
// kind: not-flushed
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  const float zero = 0;
  cl_event event;
  check(clEnqueueFillBuffer(host.queue, m, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));  // wrong
#ifdef RIGHT
  check(clFlush(host.queue));
#endif
  cl_int status = CL_QUEUED;
  while (status > CL_COMPLETE)
    check(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));  // wrong
  check(clReleaseEvent(event));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
