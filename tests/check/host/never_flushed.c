// SPDX-License-Identifier: Apache-2.0
// A command is enqueued, and the program ends without flushing its command-queue. The right twin releases it, which
// flushes it.
// kind: not-flushed leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  const cl_int zero = 0;
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));  // wrong
  check(clReleaseMemObject(buffer));
#ifdef RIGHT
  closeHost(&host);
#endif
  return 0;
}
