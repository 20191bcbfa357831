// SPDX-License-Identifier: Apache-2.0
// One of all kernels of a program is released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program p = buildProgram(&host, kernelSource);
  cl_kernel all[3];
  check(clCreateKernelsInProgram(p, 3, all, NULL));  // wrong
  check(clReleaseKernel(all[0]));
#ifdef RIGHT
  check(clReleaseKernel(all[1]));
  check(clReleaseKernel(all[2]));
#endif
  check(clReleaseProgram(p));
  closeHost(&host);
  return 0;
}
