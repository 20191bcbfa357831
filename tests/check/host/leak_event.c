// SPDX-License-Identifier: Apache-2.0
// The event of a command is asked for and never released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event event;
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));  // wrong
  check(clWaitForEvents(1, &event));
#ifdef RIGHT
  check(clReleaseEvent(event));
#endif
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
