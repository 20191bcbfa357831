// SPDX-License-Identifier: Apache-2.0
// A blocking read waits for the kernel of another command-queue that was never flushed.
// kind: not-flushed
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(COUNT, sizeof(float));
  cl_command_queue second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  cl_event filled;
  check(clEnqueueFillBuffer(second, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, &filled));  // wrong
#ifdef RIGHT
  check(clFlush(second));
#endif
  check(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, BYTES, data, 1, &filled, NULL));  // also
  check(clReleaseEvent(filled));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
