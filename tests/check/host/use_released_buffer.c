// SPDX-License-Identifier: Apache-2.0
// A buffer is read after it was released.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  float* data = calloc(COUNT, sizeof(float));
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);  // also
  check(error);
  fillBuffer(&host, buffer, BYTES);
#ifdef RIGHT
  check(clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL));
  check(clReleaseMemObject(buffer));
#else
  check(clReleaseMemObject(buffer));                                                // also
  clEnqueueReadBuffer(host.queue, buffer, CL_TRUE, 0, BYTES, data, 0, NULL, NULL);  // wrong
#endif
  free(data);
  closeHost(&host);
  return 0;
}
