// SPDX-License-Identifier: Apache-2.0
// The array is freed before the write of it has ended.
// kind: host-memory-freed
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(64 * COUNT, sizeof(float));
  cl_mem buffer = makeBuffer(&host, 64 * BYTES);
  cl_event gate = clCreateUserEvent(host.context, NULL);
  check(clEnqueueWriteBuffer(host.queue, buffer, CL_FALSE, 0, 64 * BYTES, data, 1, &gate, NULL));  // wrong
#ifdef RIGHT
  check(clSetUserEventStatus(gate, CL_COMPLETE));
  check(clFinish(host.queue));
  free(data);
#else
  free(data);
  check(clSetUserEventStatus(gate, -1));
  clFinish(host.queue);
#endif
  check(clReleaseEvent(gate));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
