// SPDX-License-Identifier: Apache-2.0
// A buffer is used after its release, which only its sub-buffer survives.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4096);
  const cl_buffer_region r = {1024, 1024};
  cl_int error;
  cl_mem s = clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &error);
  check(error);
  const int zero = 0;
  check(clReleaseMemObject(m));  // also
#ifdef RIGHT
  check(clEnqueueFillBuffer(host.queue, s, &zero, 4, 0, 1024, 0, NULL, NULL));
#else
  clEnqueueFillBuffer(host.queue, m, &zero, 4, 0, 1024, 0, NULL, NULL);  // wrong
#endif
  check(clFinish(host.queue));
  check(clReleaseMemObject(s));
  closeHost(&host);
  return 0;
}
