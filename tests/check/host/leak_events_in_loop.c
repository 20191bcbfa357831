// SPDX-License-Identifier: Apache-2.0
// Each round of a loop overwrites the variable that holds the last event.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_event event = NULL;
  for (int i = 0; i < 5; ++i) {
    const cl_int value = i;
#ifdef RIGHT
    if (event) check(clReleaseEvent(event));
#endif
    check(clEnqueueFillBuffer(host.queue, buffer, &value, sizeof value, 0, BYTES, 0, NULL, &event));  // wrong
  }
  check(clWaitForEvents(1, &event));
  check(clReleaseEvent(event));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
