// SPDX-License-Identifier: Apache-2.0
// The elements of an array are counted by the program, and a table has fewer than the buffer.
// kind: host-memory-too-small
// findings: 1
#include "host.h"

#ifdef RIGHT
static float table[COUNT];
#else
static float table[COUNT - 6];
#endif

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_mem m = clCreateBuffer(host.context, CL_MEM_COPY_HOST_PTR, BYTES, table, &error);  // wrong
  check(error);
  const size_t count = COUNT;
  float result[count];
  check(clEnqueueReadBuffer(host.queue, m, CL_TRUE, 0, BYTES, result, 0, NULL, NULL));
  check(clReleaseMemObject(m));
  closeHost(&host);
  return 0;
}
