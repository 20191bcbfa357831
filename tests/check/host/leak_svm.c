// SPDX-License-Identifier: Apache-2.0
// Shared memory is never freed.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  float* shared = clSVMAlloc(host.context, CL_MEM_READ_WRITE, BYTES, 0);  // wrong
  const float one = 1;
  check(clEnqueueSVMMemFill(host.queue, shared, &one, sizeof one, BYTES, 0, NULL, NULL));
  check(clFinish(host.queue));
#ifdef RIGHT
  clSVMFree(host.context, shared);
#endif
  closeHost(&host);
  return 0;
}
