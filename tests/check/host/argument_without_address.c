// SPDX-License-Identifier: Apache-2.0
// The handle itself is given in place of its address; the error is not looked at.
// kind: argument-kind
#include "host.h"

int program(void) {
  Host host = openHost();
  cl_program built = buildProgram(&host, kernelSource);
  cl_kernel kernel = makeKernel(built, "copy");
  cl_mem from = makeBuffer(&host, BYTES), to = makeBuffer(&host, BYTES);
  const size_t global = COUNT;
  fillBuffer(&host, from, BYTES);
  check(clSetKernelArg(kernel, 0, sizeof from, &from));
  check(clSetKernelArg(kernel, 1, sizeof to, &to));
#ifndef RIGHT
  clSetKernelArg(kernel, 1, sizeof to, to);  // wrong
#endif
  check(clEnqueueNDRangeKernel(host.queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
  check(clFinish(host.queue));
  check(clReleaseMemObject(from));
  check(clReleaseMemObject(to));
  check(clReleaseKernel(kernel));
  check(clReleaseProgram(built));
  closeHost(&host);
  return 0;
}
