// SPDX-License-Identifier: Apache-2.0
// The program waits for a command behind a user event that is never set: it never returns.
// kind: user-event-unset
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event gate = clCreateUserEvent(host.context, NULL);  // wrong
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 1, &gate, NULL));
#ifdef RIGHT
  check(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  clFinish(host.queue);  // also
  check(clReleaseEvent(gate));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
