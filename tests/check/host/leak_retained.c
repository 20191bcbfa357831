// SPDX-License-Identifier: Apache-2.0
// A buffer is retained once more than it is released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);  // wrong
  check(error);
  check(clRetainMemObject(buffer));
#ifdef RIGHT
  check(clReleaseMemObject(buffer));
#endif
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
