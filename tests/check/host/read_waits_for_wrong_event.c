// SPDX-License-Identifier: Apache-2.0
// The program waits for the event of the kernel, not for that of the read.
// kind: result-too-early
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(16 * COUNT, sizeof(float));
  const int value = 3;
  cl_event filled, copied;
  cl_mem buffer = makeBuffer(&host, 16 * BYTES);
  check(clEnqueueFillBuffer(host.queue, buffer, &value, sizeof value, 0, 16 * BYTES, 0, NULL, &filled));
  check(clEnqueueReadBuffer(host.queue, buffer, CL_FALSE, 0, 16 * BYTES, data, 1, &filled, &copied));  // also
#ifdef RIGHT
  check(clWaitForEvents(1, &copied));
#else
  check(clWaitForEvents(1, &filled));
#endif
  printf("%d\n", data[8 * COUNT] != 0);  // wrong
  check(clFinish(host.queue));
  check(clReleaseEvent(filled));
  check(clReleaseEvent(copied));
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
