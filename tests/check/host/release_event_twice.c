// SPDX-License-Identifier: Apache-2.0
// One event is in the list of those to release twice.
// kind: released-twice
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_event events[2];
  const cl_int zero = 0;
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &events[0]));  // also
#ifdef RIGHT
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &events[1]));
#else
  events[1] = events[0];
#endif
  check(clWaitForEvents(2, events));
  for (int i = 0; i < 2; ++i) clReleaseEvent(events[i]);  // wrong
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
