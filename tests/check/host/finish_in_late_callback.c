// SPDX-License-Identifier: Apache-2.0
// A callback of a command that has ended calls clFinish, and the program ends soon after it.
// kind: blocking-in-callback
#include "host.h"

static cl_command_queue queue;
static void CL_CALLBACK ended(cl_event event, cl_int status, void* data) {
#ifdef RIGHT
  *(volatile cl_int*)data = status;
#else
  clFinish(queue);  // wrong
#endif
}

int program(void) {
  Host host = openHost();
  static cl_int seen = 1;
  queue = host.queue;
  cl_mem m = makeBuffer(&host, BYTES);
  const float zero = 0;
  cl_event event;
  check(clEnqueueFillBuffer(host.queue, m, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));
  check(clSetEventCallback(event, CL_COMPLETE, ended, &seen));  // also
  check(clWaitForEvents(1, &event));
  check(clFinish(host.queue));
  check(clReleaseEvent(event));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
