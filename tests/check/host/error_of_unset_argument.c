// SPDX-License-Identifier: Apache-2.0
// The second argument of the kernel is never set.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  cl_mem buffer = makeBuffer(&host, BYTES);
  const size_t global = COUNT;
  check(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
#ifdef RIGHT
  const float factor = 2;
  check(clSetKernelArg(kernel, 1, sizeof factor, &factor));
#endif
  fillBuffer(&host, buffer, BYTES);
  clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL);  // wrong
  check(clFinish(host.queue));                                                        // also
  check(clReleaseMemObject(buffer));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
