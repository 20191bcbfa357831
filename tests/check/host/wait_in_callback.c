// SPDX-License-Identifier: Apache-2.0
// A callback waits for another event.
// kind: blocking-in-callback
#include "host.h"

static cl_event second;
static void CL_CALLBACK done(cl_event event, cl_int status, void* data) {
  (void)event, (void)status, (void)data;
#ifndef RIGHT
  clWaitForEvents(1, &second);  // wrong
#endif
}
int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event first;
  check(clEnqueueFillBuffer(host.queue, m, &zero, 4, 0, BYTES, 0, NULL, &first));
  check(clEnqueueFillBuffer(host.queue, m, &zero, 4, 0, BYTES, 0, NULL, &second));
  check(clSetEventCallback(first, CL_COMPLETE, done, NULL));  // also
  check(clFinish(host.queue));
  check(clReleaseEvent(first));
  check(clReleaseMemObject(m));
  check(clReleaseEvent(second));
  closeHost(&host);
  return 0;
}
