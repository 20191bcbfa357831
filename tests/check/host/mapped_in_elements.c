// SPDX-License-Identifier: Apache-2.0
// A region has as many bytes as the host uses numbers; the regions beside it, and what is never mapped, are left alone.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_mem m = makeBuffer(&host, 4 * BYTES);
  fillBuffer(&host, m, 4 * BYTES);
  cl_int error;
#ifdef RIGHT
  const size_t bytes = BYTES;
#else
  const size_t bytes = COUNT;
#endif
  const cl_map_flags flags = CL_MAP_READ;
  float* data = clEnqueueMapBuffer(host.queue, m, CL_TRUE, flags, BYTES, bytes, 0, NULL, NULL, &error);  // also
  check(error);
  float* next = clEnqueueMapBuffer(host.queue, m, CL_TRUE, flags, 2 * BYTES, BYTES, 0, NULL, NULL, &error);
  check(error);
  float sum = next[0] + next[COUNT - 1];
  for (int i = 0; i < COUNT; ++i) sum += data[i];  // wrong
  check(clEnqueueUnmapMemObject(host.queue, m, data, 0, NULL, NULL));
  check(clEnqueueUnmapMemObject(host.queue, m, next, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return sum != 0;
}
