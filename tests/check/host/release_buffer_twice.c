// SPDX-License-Identifier: Apache-2.0
// A buffer is released at its last use and at the end.
// kind: released-twice
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
  check(clFinish(host.queue));
  clReleaseMemObject(buffer);  // also
#ifndef RIGHT
  clReleaseMemObject(buffer);  // wrong
#endif
  closeHost(&host);
  return 0;
}
