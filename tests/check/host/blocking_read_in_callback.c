// SPDX-License-Identifier: Apache-2.0
// The callback of an event reads a buffer and waits for that.
// kind: blocking-in-callback
#include "host.h"

static Host theHost;
static cl_mem theBuffer;
#ifndef RIGHT
static int result;
#endif
static _Atomic int called;
static void CL_CALLBACK done(cl_event e, cl_int status, void* data) {
  (void)e; (void)status; (void)data;
#ifndef RIGHT
  check(clEnqueueReadBuffer(theHost.queue, theBuffer, CL_TRUE, 0, 4, &result, 0, NULL, NULL));  // wrong
#endif
  called = 1;
}
int program(void) {
  theHost = openHost();
  theBuffer = makeBuffer(&theHost, BYTES);
  const int zero = 0;
  cl_event e;
  check(clEnqueueFillBuffer(theHost.queue, theBuffer, &zero, 4, 0, BYTES, 0, NULL, &e));
  check(clSetEventCallback(e, CL_COMPLETE, done, NULL));  // also
  check(clFlush(theHost.queue));
  while (!called) {}
  check(clFinish(theHost.queue));
  check(clReleaseEvent(e));
  check(clReleaseMemObject(theBuffer));
  closeHost(&theHost);
  return 0;
}
