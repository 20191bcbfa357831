// SPDX-License-Identifier: Apache-2.0
// A region is mapped without blocking, and read when the queue was flushed.
// kind: result-too-early
// needs: breakpoints
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
  const float* data =
      clEnqueueMapBuffer(host.queue, buffer, CL_FALSE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);  // also
  check(error);
#ifdef RIGHT
  check(clFinish(host.queue));
#else
  check(clFlush(host.queue));
#endif
  const float third = data[3];  // wrong
  check(clFinish(host.queue));
  if (third != 0) puts("other");
  check(clEnqueueUnmapMemObject(host.queue, buffer, (void*)data, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
