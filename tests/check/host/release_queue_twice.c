// SPDX-License-Identifier: Apache-2.0
// A queue is released by a clean-up function and by its user.
// kind: released-twice
#include "host.h"

static void cleanUp(const Host* host) {
  clReleaseCommandQueue(host->queue);  // wrong
  clReleaseContext(host->context);
}
int program(void) {
  Host host = openHost();
  check(clFinish(host.queue));
#ifndef RIGHT
  check(clReleaseCommandQueue(host.queue));  // also
#endif
  cleanUp(&host);
  return 0;
}
