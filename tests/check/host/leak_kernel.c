// SPDX-License-Identifier: Apache-2.0
// A kernel is never released; its program is.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = clCreateKernel(built, "scale", &error);  // wrong
  check(error);
#ifdef RIGHT
  check(clReleaseKernel(kernel));
#else
  (void)kernel;
#endif
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
