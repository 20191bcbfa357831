// SPDX-License-Identifier: Apache-2.0
// A command-queue is used after its release.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_command_queue second = clCreateCommandQueueWithProperties(host.context, host.device, NULL, &error);  // also
  check(error);
  const cl_int zero = 0;
#ifndef RIGHT
  check(clReleaseCommandQueue(second));  // also
#endif
  clEnqueueFillBuffer(second, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL);  // wrong
#ifdef RIGHT
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
#endif
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
