// SPDX-License-Identifier: Apache-2.0
// A kernel is created of a program that was released already.
// kind: use-after-release
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program p = buildProgram(&host, kernelSource);
  cl_kernel first = makeKernel(p, "fill");
#ifndef RIGHT
  check(clReleaseProgram(p));  // also
#endif
  cl_int error;
  cl_kernel second = clCreateKernel(p, "copy", &error);  // wrong
  if (error == CL_SUCCESS) clReleaseKernel(second);
#ifdef RIGHT
  check(clReleaseProgram(p));
#endif
  check(clReleaseKernel(first));
  closeHost(&host);
  return 0;
}
