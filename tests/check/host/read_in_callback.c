// SPDX-License-Identifier: Apache-2.0
// A callback reads a result and blocks.
// kind: blocking-in-callback
#include "host.h"

static cl_mem target;
static int result;
#include <stdatomic.h>

static cl_command_queue callbackQueue;
static atomic_int done;
static void CL_CALLBACK onEnd(cl_event event, cl_int status, void* data) {
  (void)event;
  (void)status;
  (void)data;
#ifdef RIGHT
  clEnqueueReadBuffer(callbackQueue, target, CL_FALSE, 0, sizeof result, &result, 0, NULL, NULL);
#else
  clEnqueueReadBuffer(callbackQueue, target, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL);  // wrong
#endif
  atomic_store(&done, 1);
}

int program(void) {
  Host host = openHost();
  const cl_int zero = 0;
  cl_event event;
  target = makeBuffer(&host, BYTES);
  callbackQueue = makeQueue(&host, 0);
  check(clEnqueueFillBuffer(host.queue, target, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));
  check(clSetEventCallback(event, CL_COMPLETE, onEnd, NULL));  // also
  check(clFinish(host.queue));
  while (!atomic_load(&done)) {
  }
  check(clFinish(callbackQueue));
  check(clReleaseEvent(event));
  check(clReleaseCommandQueue(callbackQueue));
  check(clReleaseMemObject(target));
  closeHost(&host);
  return 0;
}
