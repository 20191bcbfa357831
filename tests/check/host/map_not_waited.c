// SPDX-License-Identifier: Apache-2.0
// A region is mapped without blocking, written and unmapped at once.
// kind: result-too-early
// needs: breakpoints
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = makeBuffer(&host, BYTES);
#ifdef RIGHT
  const cl_bool blocking = CL_TRUE;
#else
  const cl_bool blocking = CL_FALSE;
#endif
  float* data =
      clEnqueueMapBuffer(host.queue, buffer, blocking, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);  // also
  check(error);
  for (int i = 0; i < COUNT; ++i) data[i] = 1;  // wrong
  check(clEnqueueUnmapMemObject(host.queue, buffer, data, 0, NULL, NULL));  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
