// SPDX-License-Identifier: Apache-2.0
// A loop writes its variable without blocking, and counts it up meanwhile.
// kind: source-changed
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem buffer = makeBuffer(&host, BYTES);
#ifdef RIGHT
  const cl_bool blocking = CL_TRUE;
#else
  const cl_bool blocking = CL_FALSE;
#endif
  for (cl_int i = 0; i < 8; ++i)
    check(clEnqueueWriteBuffer(host.queue, buffer, blocking, i * sizeof i, sizeof i, &i, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
