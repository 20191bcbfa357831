// SPDX-License-Identifier: Apache-2.0
// The memory of a buffer with CL_MEM_USE_HOST_PTR grows before the buffer is released.
// kind: host-memory-freed
// needs: malloc
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  const cl_int zero = 0;
  float* data = calloc(COUNT, sizeof(float));
  void* volatile above = malloc(64);  // so that the memory cannot grow where it is
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_USE_HOST_PTR, BYTES, data, &error);  // also
  check(error);
  check(clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL));
  check(clFinish(host.queue));
#ifdef RIGHT
  check(clReleaseMemObject(buffer));
#endif
  data = realloc(data, 4 * BYTES);  // wrong
#ifndef RIGHT
  check(clReleaseMemObject(buffer));
#endif
  free(data);
  free(above);
  closeHost(&host);
  return 0;
}
