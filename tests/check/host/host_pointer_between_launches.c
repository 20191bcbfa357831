// SPDX-License-Identifier: Apache-2.0
// Between two launches the host writes to the memory of CL_MEM_USE_HOST_PTR directly.
// kind: host-pointer-use
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  float* data = calloc(COUNT, sizeof(float));
  const cl_int one = 1;
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
  check(clEnqueueFillBuffer(host.queue, buffer, &one, sizeof one, 0, BYTES, 0, NULL, NULL));
  check(clFinish(host.queue));
#ifdef RIGHT
  float* mapped = clEnqueueMapBuffer(host.queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &error);
  check(error);
  mapped[7] = 3;
  check(clEnqueueUnmapMemObject(host.queue, buffer, mapped, 0, NULL, NULL));
#else
  data[7] = 3;
#endif
  check(clEnqueueFillBuffer(host.queue, buffer, &one, sizeof one, 0, 4, 0, NULL, NULL));  // wrong
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  free(data);
  closeHost(&host);
  return 0;
}
