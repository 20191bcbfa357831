// SPDX-License-Identifier: Apache-2.0
// A pipe is never released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem q = clCreatePipe(host.context, 0, 4, 16, NULL, &error);  // wrong
  check(error);
  (void)q;
#ifdef RIGHT
  check(clReleaseMemObject(q));
#endif
  closeHost(&host);
  return 0;
}
