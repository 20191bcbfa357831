// SPDX-License-Identifier: Apache-2.0
// A row of an application's own memory is mapped, and the host changes the row ahead of it.
// kind: host-pointer-use
#include "host.h"

int program(void) {
  Host host = openHost();
  static float rows[4][16];
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, sizeof rows, rows, &error);
  check(error);
  fillBuffer(&host, m, sizeof rows);
  float* row = clEnqueueMapBuffer(host.queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 2 * sizeof rows[0],  // also
                                  sizeof rows[0], 0, NULL, NULL, &error);
  check(error);
  for (int i = 0; i < 16; ++i) row[i] += 1;
#ifndef RIGHT
  rows[1][3] = 2;  // wrong
#endif
  check(clEnqueueUnmapMemObject(host.queue, m, row, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
