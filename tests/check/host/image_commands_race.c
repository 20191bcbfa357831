// SPDX-License-Identifier: Apache-2.0
// An image is filled and read in two command-queues.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue other = makeQueue(&host, 0);
  cl_mem in = makeImage(&host, CL_MEM_OBJECT_IMAGE2D, 64, 64, 0, 0, NULL, CL_MEM_READ_WRITE);
  const size_t o[3] = {0, 0, 0}, r[3] = {64, 64, 1};
  const float c[4] = {1, 2, 3, 4};
  cl_event event;
  float* data = malloc(64 * 64 * 16);
  check(clEnqueueFillImage(host.queue, in, c, o, r, 0, NULL, &event));  // wrong
  check(clFlush(host.queue));
#ifdef RIGHT
  check(clEnqueueReadImage(other, in, CL_TRUE, o, r, 0, 0, data, 1, &event, NULL));
#else
  check(clEnqueueReadImage(other, in, CL_TRUE, o, r, 0, 0, data, 0, NULL, NULL));  // wrong
#endif
  check(clFinish(host.queue));
  check(clReleaseEvent(event));
  free(data);
  check(clReleaseMemObject(in));
  check(clReleaseCommandQueue(other));
  closeHost(&host);
  return 0;
}
