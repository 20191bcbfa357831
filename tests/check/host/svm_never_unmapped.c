// SPDX-License-Identifier: Apache-2.0
// Shared memory is mapped and never unmapped.
// kind: never-unmapped
#include "host.h"

int program(void) {
  Host host = openHost();
  int* p = clSVMAlloc(host.context, CL_MEM_READ_WRITE, 4096 * 4, 0);  // also
  check(clEnqueueSVMMap(host.queue, CL_TRUE, CL_MAP_WRITE, p, 4096 * 4, 0, NULL, NULL));  // wrong
  p[0] = 1;
#ifdef RIGHT
  check(clEnqueueSVMUnmap(host.queue, p, 0, NULL, NULL));
#endif
  check(clFinish(host.queue));
  clSVMFree(host.context, p);
  closeHost(&host);
  return 0;
}
