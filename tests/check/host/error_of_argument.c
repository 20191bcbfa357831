// SPDX-License-Identifier: Apache-2.0
// A size_t is given for an argument of type int: the call fails, the launch uses nothing.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "fill");
  cl_mem buffer = makeBuffer(&host, BYTES);
  const size_t global = COUNT;
#ifdef RIGHT
  const int value = 3;
#else
  const size_t value = 3;
#endif
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  clSetKernelArg(kernel, 1, sizeof value, &value);                                    // wrong
  clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // also
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
