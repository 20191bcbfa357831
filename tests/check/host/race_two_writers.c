// SPDX-License-Identifier: Apache-2.0
// Two queues write the halves of a buffer, which overlap by an element.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue other = makeQueue(&host, 0);
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  check(clFinish(host.queue));
  static float a[COUNT], b[COUNT];
  check(clEnqueueWriteBuffer(host.queue, m, CL_FALSE, 0, BYTES / 2, a, 0, NULL, NULL));  // also
#ifdef RIGHT
  check(clEnqueueWriteBuffer(other, m, CL_FALSE, BYTES / 2, BYTES / 2, b, 0, NULL, NULL));
#else
  check(clEnqueueWriteBuffer(other, m, CL_FALSE, BYTES / 2 - 4, BYTES / 2, b, 0, NULL, NULL));  // wrong
#endif
  check(clFinish(host.queue));
  check(clFinish(other));
  check(clReleaseMemObject(m));
  check(clReleaseCommandQueue(other));
  closeHost(&host);
  return 0;
}
