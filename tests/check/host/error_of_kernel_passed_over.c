// SPDX-License-Identifier: Apache-2.0
// There is no kernel of this name, and the program that gets none never asks why. Right, it says so and ends well.
// kind: api-error
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_int error = CL_SUCCESS;
  cl_program built = buildProgram(&host, kernelSource);
#ifdef RIGHT
  cl_kernel kernel = clCreateKernel(built, "Scale", &error);
  if (error != CL_SUCCESS) printf("no kernel: %d\n", error);
#else
  cl_kernel kernel = clCreateKernel(built, "Scale", &error);  // wrong
#endif
  cl_mem buffer = clCreateBuffer(host.context, CL_MEM_READ_WRITE, BYTES, NULL, &error);
  check(error);
  fillBuffer(&host, buffer, BYTES);
  printf("%p\n", (void*)kernel);
  check(clFinish(host.queue));
  check(clReleaseMemObject(buffer));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
