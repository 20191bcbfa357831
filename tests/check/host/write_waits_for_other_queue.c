// SPDX-License-Identifier: Apache-2.0
// The program waits for another command-queue than that of the write.
// kind: source-changed
#include "host.h"

int program(void) {
  Host host = openHost();
  float* data = calloc(COUNT, sizeof(float));
  cl_mem buffer = makeBuffer(&host, BYTES);
  cl_command_queue second = makeQueue(&host, 0);
  check(clEnqueueWriteBuffer(host.queue, buffer, CL_FALSE, 0, BYTES, data, 0, NULL, NULL));  // wrong
#ifdef RIGHT
  check(clFinish(host.queue));
#else
  check(clFinish(second));
#endif
  memset(data, 1, BYTES);
  check(clFinish(host.queue));
  check(clReleaseCommandQueue(second));
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
