// SPDX-License-Identifier: Apache-2.0
// A buffer is copied within itself to where the source is.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4096);
  fillBuffer(&host, m, 4096);
#ifdef RIGHT
  clEnqueueCopyBuffer(host.queue, m, m, 0, 2048, 2048, 0, NULL, NULL);
#else
  clEnqueueCopyBuffer(host.queue, m, m, 0, 1024, 2048, 0, NULL, NULL);  // wrong
#endif
  check(clFinish(host.queue));  // also
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
