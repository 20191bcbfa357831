// SPDX-License-Identifier: Apache-2.0
// A buffer is larger than the device allows: the right twin tries a smaller one.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_ulong most = 0;
  check(clGetDeviceInfo(host.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof most, &most, NULL));
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, most + 1, NULL, &error);  // wrong
#ifdef RIGHT
  if (error != CL_SUCCESS) buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
#endif
  const cl_int zero = 0;
  clEnqueueFillBuffer(host.queue, buffer, &zero, sizeof zero, 0, BYTES, 0, NULL, NULL);  // also
  check(clFinish(host.queue));
  if (buffer) check(clReleaseMemObject(buffer));
  closeHost(&host);
  return 0;
}
