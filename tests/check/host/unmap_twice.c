// SPDX-License-Identifier: Apache-2.0
// A region is unmapped twice.
// kind: api-error released-twice
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4096);
  cl_int error;
  void* p = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_WRITE, 0, 4096, 0, NULL, NULL, &error);  // also
  check(error);
  memset(p, 0, 4096);
  clEnqueueUnmapMemObject(host.queue, m, p, 0, NULL, NULL);  // also
#ifndef RIGHT
  clEnqueueUnmapMemObject(host.queue, m, p, 0, NULL, NULL);  // wrong
#endif
  check(clFinish(host.queue));  // also
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
