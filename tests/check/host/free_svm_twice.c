// SPDX-License-Identifier: Apache-2.0
// Shared memory is freed twice.
// kind: released-twice
#include "host.h"

int program(void) {
  Host host = openHost();
  float* shared = clSVMAlloc(host.context, CL_MEM_READ_WRITE, BYTES, 0);  // also
  clSVMFree(host.context, shared);                                        // also
#ifndef RIGHT
  clSVMFree(host.context, shared);  // wrong
#endif
  closeHost(&host);
  return 0;
}
