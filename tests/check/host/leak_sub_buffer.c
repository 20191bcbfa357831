// SPDX-License-Identifier: Apache-2.0
// A sub-buffer is never released; the buffer that it is a part of is.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_buffer_region region = {0, BYTES / 2};
  cl_mem half = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);  // wrong
  check(error);
#ifdef RIGHT
  check(clReleaseMemObject(half));
#else
  (void)half;
#endif
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
