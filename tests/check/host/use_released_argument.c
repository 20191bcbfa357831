// SPDX-License-Identifier: Apache-2.0
// A buffer among the arguments of a kernel is released before the launch.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  const float factor = 2;
  const size_t global = COUNT;
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);  // also
  check(error);
  fillBuffer(&host, buffer, BYTES);
  check(clFinish(host.queue));
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));
#ifndef RIGHT
  check(clReleaseMemObject(buffer));  // also
#endif
  clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // wrong
  check(clFinish(host.queue));
#ifdef RIGHT
  check(clReleaseMemObject(buffer));
#endif
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
