// SPDX-License-Identifier: Apache-2.0
// A user event is set where the work fails, and not where it succeeds.
// kind: user-event-unset
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  cl_int error;
  cl_event ready = clCreateUserEvent(host.context, &error);  // also
  check(error);
  float value = 1;
  check(clEnqueueWriteBuffer(host.queue, m, CL_FALSE, 0, 4, &value, 1, &ready, NULL));  // also
  const int failed = host.queue == NULL;
  if (failed) check(clSetUserEventStatus(ready, -1));
#ifdef RIGHT
  check(clSetUserEventStatus(ready, CL_COMPLETE));
#endif
  clFinish(host.queue);  // wrong
  check(clReleaseEvent(ready));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
