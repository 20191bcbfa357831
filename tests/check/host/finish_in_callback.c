// SPDX-License-Identifier: Apache-2.0
// A callback calls clFinish.
// kind: blocking-in-callback
#include "host.h"

#include <stdatomic.h>

static cl_command_queue callbackQueue;
static atomic_int done;
static void CL_CALLBACK onEnd(cl_event event, cl_int status, void* data) {
  (void)event;
  (void)status;
  (void)data;
#ifndef RIGHT
  clFinish(callbackQueue);  // wrong
#else
  clFlush(callbackQueue);
#endif
  atomic_store(&done, 1);
}

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event event;
  callbackQueue = makeQueue(&host, 0);
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &event));
  check(clSetEventCallback(event, CL_COMPLETE, onEnd, NULL));  // also
  check(clFinish(host.queue));
  while (!atomic_load(&done)) {
  }
  check(clReleaseEvent(event));
  check(clReleaseCommandQueue(callbackQueue));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
