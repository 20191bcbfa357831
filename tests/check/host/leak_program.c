// SPDX-License-Identifier: Apache-2.0
// A program is never released.
// kind: leaked-object
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
  cl_program built = clCreateProgramWithSource(host.context, 1, (const char**)&kernelSource, NULL, &error);  // wrong
  check(error);
  check(clBuildProgram(built, 1, &host.device, "", NULL, NULL));
#ifdef RIGHT
  check(clReleaseProgram(built));
#endif
  closeHost(&host);
  return 0;
}
