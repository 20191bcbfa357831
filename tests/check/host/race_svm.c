// SPDX-License-Identifier: Apache-2.0
// Two command-queues write the same shared memory.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int one = 1;
  float* shared = clSVMAlloc(host.context, CL_MEM_READ_WRITE, BYTES, 0);

  check(clEnqueueSVMMemFill(host.queue, shared, &one, sizeof one, BYTES, 0, NULL, NULL));  // wrong
#ifdef RIGHT
  check(clFinish(host.queue));
#endif
  check(clEnqueueSVMMemFill(second, shared, &one, sizeof one, BYTES, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  clSVMFree(host.context, shared);
  closeHost(&host);
  return 0;
}
