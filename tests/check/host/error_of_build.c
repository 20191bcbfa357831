// SPDX-License-Identifier: Apache-2.0
// The source has a mistake, and kernels are made of the program that was not built.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error;
#ifdef RIGHT
  const char* source = "kernel void one(global int* p) { p[0] = 1; }";
#else
  const char* source = "kernel void one(global int* p) { p[0] = missing; }";
#endif
  cl_program built = clCreateProgramWithSource(host.context, 1, &source, NULL, &error);
  check(error);
  clBuildProgram(built, 1, &host.device, "", NULL, NULL);  // wrong
  cl_kernel kernel = clCreateKernel(built, "one", NULL);   // also
  if (kernel) check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
