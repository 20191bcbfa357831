// SPDX-License-Identifier: Apache-2.0
// A wait list names an event that was released.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event event;
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));  // also
#ifndef RIGHT
  check(clReleaseEvent(event));  // also
#endif
  clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 1, &event, NULL);  // wrong
#ifdef RIGHT
  check(clReleaseEvent(event));
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
