// SPDX-License-Identifier: Apache-2.0
// Two command-queues write rectangles of one buffer that overlap in a column.
// kind: command-race
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_command_queue first = host.queue, second = makeQueue(&host, 0);
  cl_mem buffer = makeBuffer(&host, BYTES);
  float* data = calloc(COUNT, sizeof(float));

#ifdef RIGHT
  const size_t left[] = {0, 0, 0}, right[] = {128, 0, 0};
#else
  const size_t left[] = {0, 0, 0}, right[] = {124, 0, 0};
#endif
  const size_t region[] = {128, 16, 1}, zero[] = {0, 0, 0};
  check(clEnqueueWriteBufferRect(first, buffer, 0, left, zero, region, 256, 0, 128, 0, data, 0, 0, 0));    // wrong
  check(clEnqueueWriteBufferRect(second, buffer, 0, right, zero, region, 256, 0, 128, 0, data, 0, 0, 0));  // wrong
  check(clFinish(host.queue));
  check(clFinish(second));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
