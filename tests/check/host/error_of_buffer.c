// SPDX-License-Identifier: Apache-2.0
// A buffer of no bytes cannot be created, and is written to.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  const float data[16] = {1};
#ifdef RIGHT
  const size_t bytes = sizeof data;
#else
  const size_t bytes = 0;
#endif
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_ONLY, bytes, NULL, NULL);       // wrong
  clEnqueueWriteBuffer(host.queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);  // also
  if (buffer) check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
