// SPDX-License-Identifier: Apache-2.0
// Two functions both release the kernel.
// kind: released-twice
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "scale");
  clReleaseKernel(kernel);  // also
#ifndef RIGHT
  clReleaseKernel(kernel);  // wrong
#endif
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
