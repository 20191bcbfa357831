// SPDX-License-Identifier: Apache-2.0
// A buffer is never released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);  // wrong
  check(error);
  fillBuffer(&host, buffer, BYTES);
  check(clFinish(host.queue));
#ifdef RIGHT
  check(clReleaseMemObject(buffer));
#endif
  closeHost(&host);
  return 0;
}
