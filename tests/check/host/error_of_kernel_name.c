// SPDX-License-Identifier: Apache-2.0
// There is no kernel of this name, and the arguments of the missing kernel are set.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(&host, kernelSource);
  cl_mem buffer = makeBuffer(&host, BYTES);
#ifdef RIGHT
  cl_kernel kernel = clCreateKernel(built, "scale", NULL);
#else
  cl_kernel kernel = clCreateKernel(built, "Scale", NULL);  // wrong
#endif
  clSetKernelArg(kernel, 0, sizeof buffer, &buffer);  // also
  if (kernel) check(clReleaseKernel(kernel));
  check(clReleaseMemObject(buffer));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
