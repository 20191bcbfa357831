// SPDX-License-Identifier: Apache-2.0
// The target of a read is freed before the command has ended.
// kind: host-memory-freed
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 1 << 20);
  fillBuffer(&host, m, 1 << 20);
  char* data = malloc(1 << 20);
  check(clEnqueueReadBuffer(host.queue, m, CL_FALSE, 0, 1 << 20, data, 0, NULL, NULL));  // wrong
#ifdef RIGHT
  check(clFinish(host.queue));
#endif
  free(data);  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
