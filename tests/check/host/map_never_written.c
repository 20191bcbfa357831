// SPDX-License-Identifier: Apache-2.0
// A buffer is mapped for reading before anything has written it.
// kind: uninitialised
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);  // also
  check(error);
#ifdef RIGHT
  fillBuffer(&host, m, 16);
#endif
  float* p = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);  // wrong
  check(error);
  printf("%g\n", p[0]);
  check(clEnqueueUnmapMemObject(host.queue, m, p, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
