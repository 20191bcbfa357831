// SPDX-License-Identifier: Apache-2.0
// All of a buffer is mapped, and the host reads one number more, where nothing is.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, BYTES);
  fillBuffer(&host, m, BYTES);
  cl_int error;
  float* data = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &error);  // also
  check(error);
#ifdef RIGHT
  const int count = COUNT;
#else
  const int count = COUNT + 1;
#endif
  float sum = 0;
  for (int i = 0; i < count; ++i) sum += data[i];  // wrong
  check(clEnqueueUnmapMemObject(host.queue, m, data, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return sum != 0;
}
