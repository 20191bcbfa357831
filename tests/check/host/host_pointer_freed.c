// SPDX-License-Identifier: Apache-2.0
// The memory of a buffer with CL_MEM_USE_HOST_PTR is freed before the buffer is written.
// kind: host-memory-freed
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  const cl_int zero = 0;
  float* data = calloc(64 * COUNT, sizeof(float));
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, 64 * BYTES, data, &error);  // also
  check(error);
#ifndef RIGHT
  free(data);
#endif
  cl_event gate = clCreateUserEvent(host.context, NULL);
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, 4, 1, &gate, NULL));  // wrong
#ifdef RIGHT
  check(clSetUserEventStatus(gate, CL_COMPLETE));
#else
  check(clSetUserEventStatus(gate, -1));
#endif
  clFinish(host.queue);
  check(clReleaseEvent(gate));
  check(clReleaseMemObject(buffer));
#ifdef RIGHT
  free(data);
#endif
  closeHost(&host);
  return 0;
}
