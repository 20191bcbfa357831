// SPDX-License-Identifier: Apache-2.0
// Memory that a write reads is made larger, and so moved, before the write has ended.
// kind: host-memory-freed source-changed
#include "host.h"

int program(void) {
  Host host = openHost();
  enum { MANY = 1 << 20 };
  cl_mem m = makeBuffer(&host, MANY);
  cl_int error;
  cl_event gate = clCreateUserEvent(host.context, &error);
  check(error);
  float* data = malloc(MANY);
  memset(data, 1, MANY);
#ifdef RIGHT
  check(clSetUserEventStatus(gate, CL_COMPLETE));
  check(clEnqueueWriteBuffer(host.queue, m, CL_TRUE, 0, MANY, data, 1, &gate, NULL));
  data = realloc(data, 3 * MANY);
#else
  check(clEnqueueWriteBuffer(host.queue, m, CL_FALSE, 0, MANY, data, 1, &gate, NULL));  // wrong
  free(data);
  data = malloc(3 * MANY);
  check(clSetUserEventStatus(gate, CL_COMPLETE));
#endif
  check(clFinish(host.queue));  // also
  free(data);
  check(clReleaseEvent(gate));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
