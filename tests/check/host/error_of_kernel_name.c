// SPDX-License-Identifier: Apache-2.0
// There is no kernel of this name, and the missing kernel is launched.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  const float factor = 2;
  const size_t global = COUNT;
  cl_program built = buildProgram(&host, kernelSource);
#ifdef RIGHT
  cl_kernel kernel = clCreateKernel(built, "scale", NULL);
#else
  cl_kernel kernel = clCreateKernel(built, "Scale", NULL);  // wrong
#endif
  cl_mem buffer = makeBuffer(&host, BYTES);
  fillBuffer(&host, buffer, BYTES);
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
  clSetKernelArg(kernel, 1, sizeof factor, &factor);
  clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // also
  check(clFinish(host.queue));
  if (kernel) check(clReleaseKernel(kernel));
  check(clReleaseMemObject(buffer));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
