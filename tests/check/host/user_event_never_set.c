// SPDX-License-Identifier: Apache-2.0
// The program ends, and a command still waits for a user event.
// kind: user-event-unset
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event gate = clCreateUserEvent(host.context, NULL);                                         // wrong
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 1, &gate, NULL));  // also
  check(clFlush(host.queue));
#ifdef RIGHT
  check(clSetUserEventStatus(gate, CL_COMPLETE));
  check(clFinish(host.queue));
#endif
  check(clReleaseEvent(gate));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
